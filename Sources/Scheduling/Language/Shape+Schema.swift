// The shape of a document as JSON Schema (draft 2020-12).
package import Base

extension Shape {
    /// The schema of values of this shape.
    ///
    /// - Parameter isOptional: whether `null` counts as absent.
    /// - Returns: the schema, without `$schema`.
    package func schema(isOptional: Bool = false) -> JSON {
        switch self {
        case .flag: return .object(Shape.typed("boolean", isOptional))
        case .integer(let range):
            var object = Shape.typed("integer", isOptional)
            object["minimum"] = .integer(range.lowerBound)
            object["maximum"] = .integer(range.upperBound)
            return .object(object)
        case .number(let range):
            var object = Shape.typed("number", isOptional)
            object["minimum"] = .number(range.lowerBound)
            object["maximum"] = .number(range.upperBound)
            return .object(object)
        case .word(let words):
            return ["enum": .array(words.map { .string($0) } + (isOptional ? [.null] : []))]
        case .text(let form):
            var object = Shape.typed("string", isOptional)
            object["minLength"] = 1
            object["maxLength"] = .integer(Int64(form.lengthAtMost))
            object.append("pattern", ifPresent: form.pattern.map { .string($0) })
            object["description"] = .string(form.phrase)
            return .object(object)
        case .list(let item, let count):
            var object = Shape.typed("array", isOptional)
            object["minItems"] = .integer(Int64(count.lowerBound))
            object["maxItems"] = .integer(Int64(count.upperBound))
            object["items"] = item.schema()
            return .object(object)
        case .object(let members): return .object(Shape.schema(of: members, isOptional))
        case .map(let value, let names, let atMost):
            var object = Shape.typed("object", isOptional)
            object["maxProperties"] = .integer(Int64(atMost))
            object["propertyNames"] = Shape.text(names).schema()
            object["additionalProperties"] = value.schema()
            return .object(object)
        case .any(let shapes):
            let options = shapes.map { $0.schema() } + (isOptional ? [["type": "null"]] : [])
            return ["anyOf": .array(options)]
        }
    }

    private static func typed(_ name: String, _ isOptional: Bool) -> JSONObject {
        ["type": isOptional ? .array([.string(name), "null"]) : .string(name)]
    }

    private static func schema(of members: [ShapeMember], _ isOptional: Bool) -> JSONObject {
        var object = typed("object", isOptional)
        let required = members.filter(\.isRequired).map { JSON.string($0.name) }
        if !required.isEmpty { object["required"] = .array(required) }
        object["additionalProperties"] = false
        object["properties"] = .object(
            JSONObject(
                members: members.map { member in
                    var schema =
                        member.shape.schema(isOptional: !member.isRequired).objectValue
                        ?? JSONObject()
                    schema["description"] = .string(member.meaning)
                    return (member.name, .object(schema))
                }))
        return object
    }
}
