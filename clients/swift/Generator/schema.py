"""Swift types of the schemas of openapi.yaml."""
import re

# Names that mean something else to Swift or to its readers.
TYPE_NAMES = {"State": "DownloadState", "Auth": "AuthMode", "BatchDownload": "NewDownload"}
WORDS = {"url": "URL", "urls": "URLs", "id": "ID", "pem": "PEM", "cpu": "CPU", "http": "HTTP", "tls": "TLS"}
KEYWORDS = {"class", "default", "protocol", "in", "is", "as", "for", "self", "init", "operator", "where", "switch",
            "case", "return", "func", "let", "var", "if", "else", "enum", "struct", "extension", "import", "repeat",
            "while", "do", "continue", "break", "true", "false", "nil", "throw", "try", "catch", "static", "public",
            "guard", "internal", "private", "extension", "defer", "fallthrough", "super", "typealias", "Any"}
# Members for which null says something in a new download: no destination in spite of the session's.
NULLS = {("NewDownload", "destination")}


def camel(name, upper=False):
    """`webhook_url` is `webhookURL`, and as the name of a type `WebhookURL`."""
    words = [word for word in re.split(r"[^A-Za-z0-9]+", name) if word]
    if not words:
        return "all"
    parts = []
    for place, word in enumerate(words):
        low = word.lower() if word.isupper() else word
        if place == 0 and not upper:
            parts.append(low[0].lower() + low[1:])
        else:
            parts.append(WORDS.get(low, low[0].upper() + low[1:]))
    text = "".join(parts)
    return "_" + text if text[0].isdigit() else text


def member(name):
    text = camel(name)
    return f"`{text}`" if text in KEYWORDS else text


def wrapped(text, indent, mark="/// "):
    """Lines of a comment, of at most 100 columns; tables and lists keep their lines."""
    lines, width = [], 100 - indent - len(mark)
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        if lines:
            lines.append("")
        if "|" in paragraph:
            lines += paragraph.split("\n")
            continue
        line = ""
        for word in paragraph.split():
            if line and len(line) + 1 + len(word) > width:
                lines.append(line)
                line = word
            else:
                line = f"{line} {word}" if line else word
        lines.append(line)
    pad = " " * indent
    return [f"{pad}{mark}{line}".rstrip() for line in lines]


def documented(text, indent, name):
    """A comment whose first sentence is the summary."""
    text = (text or f"`{name}` of the API.").strip()
    found = re.match(r"(.+?[.!?:;])\s+(?=[A-Z`])", text, re.S)
    if not found:
        return wrapped(text, indent)
    return wrapped(found.group(1), indent) + [" " * indent + "///"] + wrapped(text[found.end():], indent)


class Types:
    """Writes each schema that is used once, under its name."""

    def __init__(self, document):
        self.document = document
        self.schemas = document["components"]["schemas"]
        self.written = {}

    def name(self, schema_name):
        return TYPE_NAMES.get(schema_name, schema_name)

    def resolved(self, schema):
        while "$ref" in schema:
            schema = self.at(schema["$ref"])
        return schema

    def at(self, reference):
        here = self.document
        for part in reference.removeprefix("#/").split("/"):
            here = here[part]
        return here

    def alternatives(self, schema):
        """The alternatives of a union without null, and whether null is one."""
        found = schema.get("anyOf") or schema.get("oneOf")
        if not found or all(set(one) <= {"required"} for one in found):
            return None, False
        rest = [one for one in found if one.get("type") != "null"]
        return rest, len(rest) != len(found)

    def is_nullable(self, schema):
        schema = self.resolved(schema)
        kinds = schema.get("type")
        if isinstance(kinds, list) and "null" in kinds:
            return True
        if kinds == "null" or None in (schema.get("enum") or []):
            return True
        rest, nullable = self.alternatives(schema)
        return nullable or bool(rest and any(self.is_nullable(one) for one in rest))

    def type(self, schema, owner, name, siblings, depth=0):
        """The Swift type of a value, without regard to null.

        owner is the type in which a nested one would stand (None at the top), name the name of the member.
        """
        if "$ref" in schema:
            target = {"BatchDownload": "NewDownload"}.get(schema["$ref"].split("/")[-1], schema["$ref"].split("/")[-1])
            if "/schemas/" in schema["$ref"] and self.is_named(self.resolved(schema)):
                return self.write(target, self.schemas[target])
            return self.type(self.at(schema["$ref"]), owner, name, siblings, depth)
        rest, _ = self.alternatives(schema)
        if rest and len(rest) == 1:
            return self.type(rest[0], owner, name, siblings, depth)
        if rest and all(self.resolved(one).get("enum") or self.resolved(one).get("const") for one in rest):
            return self.type(rest[0], owner, name, siblings, depth)
        if rest:
            return self.union(rest, owner, name, siblings)
        parts = schema.get("allOf")
        if parts and len(parts) == 1:
            return self.type(parts[0], owner, name, siblings, depth)
        if parts or schema.get("properties"):
            return self.nested(schema, owner, name, siblings)
        if "const" in schema and not isinstance(schema["const"], str):
            return {bool: "Bool", int: "Int"}.get(type(schema["const"]), "JSONValue")
        if schema.get("enum"):
            words = [word for word in schema["enum"] if isinstance(word, str)]
            if depth or not words:
                return "String"
            return self.nested(schema, owner, name, siblings)
        if "const" in schema:
            return "String"
        kinds = schema.get("type")
        kinds = [kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if kind != "null"]
        if len(kinds) != 1 or kinds[0] is None:
            return "String" if kinds == [] and schema.get("type") else "JSONValue"
        return self.plain(kinds[0], schema, owner, name, siblings)

    def plain(self, kind, schema, owner, name, siblings):
        if kind == "string":
            return "Date" if schema.get("format") == "date-time" else "String"
        if kind in ("integer", "number", "boolean"):
            return {"integer": "Int", "number": "Double", "boolean": "Bool"}[kind]
        if kind == "array":
            return f"[{self.type(schema.get('items', {}), owner, name, siblings, 1)}]"
        values = schema.get("additionalProperties")
        if isinstance(values, dict):
            mark = "?" if self.is_nullable(values) else ""
            return f"[String: {self.type(values, owner, name, siblings, 1)}{mark}]"
        return "[String: JSONValue]"

    def is_named(self, schema):
        """Whether a schema of components is a type of its own, and not a number, a text or a list."""
        rest, _ = self.alternatives(schema)
        if rest and not all(self.is_object(one) for one in rest):
            return False
        if rest:
            return len(rest) > 1 and not all(
                self.resolved(one).get("enum") or self.resolved(one).get("const") for one in rest) or (
                    len(rest) == 1 and self.is_named(self.resolved(rest[0])) and "$ref" not in rest[0])
        return bool(schema.get("allOf") or schema.get("properties") or (schema.get("enum") and any(schema["enum"])))

    def write(self, name, schema):
        swift = self.name(name)
        if swift not in self.written:
            self.written[swift] = None
            rest, _ = self.alternatives(schema)
            lines = (self.union_lines(swift, rest, schema.get("description")) if rest and len(rest) > 1 else
                     self.lines(swift, rest[0] if rest else schema, 0, name))
            self.written[swift] = lines
        return swift

    def write_inline(self, name, schema):
        """A schema without a name of its own, such as the body of one call."""
        if "$ref" in schema:
            return self.type(schema, None, name, [])
        if not (schema.get("properties") or schema.get("allOf")):
            return self.type(schema, None, name, [])
        return self.write(name, schema)

    def nested(self, schema, owner, name, siblings):
        swift = camel(name, upper=True)
        swift = {"Type": "Kind", "Protocol": "TransferProtocol", "Self": "SelfValue"}.get(swift, swift)
        taken = {self.name(other) for other in self.schemas}
        if swift in taken or swift in ("Data", "Date", "URL", "String", "Int", "Error"):
            swift = f"{(owner or '').split('.')[-1]}{swift}"
        if owner is None:
            return self.write(swift, schema)
        if (swift, id(schema)) not in [(one[0], id(one[1])) for one in siblings]:
            siblings.append((swift, schema))
        return swift

    def is_object(self, schema):
        schema = self.resolved(schema)
        rest, _ = self.alternatives(schema)
        if rest:
            return all(self.is_object(one) for one in rest)
        return bool(schema.get("properties") or schema.get("allOf"))

    def union(self, rest, owner, name, siblings):
        if not all(self.is_object(one) for one in rest):
            # A text or a list, a number or a rate: JSONValue is written as any of them.
            return "JSONValue"
        names = []
        for place, one in enumerate(rest):
            names.append(self.alternative_name(one, place))
        swift = "Or".join(one[0].upper() + one[1:] for one in names)
        if not all("$ref" in one for one in rest):
            swift = f"{owner or ''}{camel(name, upper=True)}"
        if swift not in self.written:
            self.written[swift] = None
            self.written[swift] = self.union_lines(swift, rest, None)
        return swift

    def alternative_name(self, schema, place):
        if "$ref" in schema:
            return camel(self.name(schema["$ref"].split("/")[-1]))
        for key, value in schema.get("properties", {}).items():
            if key in ("type", "mode") and ("const" in value or "enum" in value):
                return camel(value["const"]) if "const" in value else camel("_or_".join(value["enum"]))
        parts = schema.get("allOf")
        if parts and "$ref" in parts[0]:
            return camel(self.name(parts[0]["$ref"].split("/")[-1]))
        required = schema.get("required") or [f"alternative_{place}"]
        return camel(required[0])

    def required(self, schema):
        schema = self.resolved(schema)
        found = set(schema.get("required", []))
        for part in schema.get("allOf", []):
            found |= self.required(part)
        return found

    def members(self, schema):
        schema = self.resolved(schema)
        found = dict(schema.get("properties", {}))
        for part in schema.get("allOf", []):
            found |= self.members(part)
        return found

    def mark(self, schema):
        """What tells an alternative from the others: members that are there, and the words of a `type`."""
        words = []
        for key, value in self.members(schema).items():
            if key in ("type", "mode", "kind") and key in self.required(schema):
                words = ([value["const"]] if "const" in value else value.get("enum", []))
                if words:
                    return sorted(self.required(schema)), key, words
        return sorted(self.required(schema)), None, []

    def union_lines(self, swift, rest, description):
        lines = documented(description or f"One of {len(rest)} shapes.", 0, swift)
        lines.append(f"public enum {swift}: Codable, Hashable, Sendable {{")
        cases, siblings = [], []
        for place, one in enumerate(rest):
            case = self.alternative_name(one, place)
            kind = self.type(one, swift, case, siblings)
            cases.append((case, kind, self.mark(one)))
        for case, kind, _ in cases:
            lines += documented(f"A value of the type `{kind}`.", 4, case)
            lines.append(f"    case {member(case)}({kind})")
        lines += ["", "    /// Reads the first of the shapes whose required members are there.",
                  "    public init(from decoder: any Decoder) throws {",
                  "        let members = try decoder.container(keyedBy: AnyKey.self)"]
        cases.sort(key=lambda one: -len(one[2][0]))
        for case, kind, (required, key, words) in cases[:-1]:
            test = f"members.hasAll({self.texts(required)})"
            if key:
                test += f", members.text(\"{key}\", isOneOf: {self.texts(words)})"
            lines += [f"        if {test} {{", f"            self = .{case}(try {kind}(from: decoder))",
                      "            return", "        }"]
        case, kind, _ = cases[-1]
        lines += [f"        self = .{case}(try {kind}(from: decoder))", "    }", "",
                  "    /// Writes the value alone.",
                  "    public func encode(to encoder: any Encoder) throws {", "        switch self {"]
        for case, kind, _ in cases:
            lines.append(f"        case .{case}(let value): try value.encode(to: encoder)")
        lines += ["        }", "    }"]
        for name, schema in siblings:
            lines += [""] + self.lines(name, schema, 4, name)
        lines.append("}")
        return lines

    def texts(self, words):
        return "[" + ", ".join(f'"{word}"' for word in words) + "]"

    def lines(self, swift, schema, indent, source):
        words = [word for word in schema.get("enum", []) if isinstance(word, str)]
        if words:
            return self.word_lines(swift, words, schema, indent)
        return self.object_lines(swift, schema, indent, source)

    def word_lines(self, swift, words, schema, indent):
        pad = " " * indent
        lines = documented(schema.get("description"), indent, swift)
        lines += [f"{pad}public struct {swift}: OpenWord {{",
                  f"{pad}    /// The word as the API writes it; it may be one that this version does not know.",
                  f"{pad}    public let rawValue: String", "",
                  f"{pad}    /// Makes any word.",
                  f"{pad}    public init(rawValue: String) {{", f"{pad}        self.rawValue = rawValue", f"{pad}    }}"]
        for word in dict.fromkeys(words):
            lines += ["", f"{pad}    /// `{word}`.",
                      f'{pad}    public static let {member(word)} = {swift}(rawValue: "{word}")']
        return lines + [f"{pad}}}"]

    def object_lines(self, swift, schema, indent, source):
        pad = " " * indent
        base, own, required = None, dict(schema.get("properties", {})), set(schema.get("required", []))
        for part in schema.get("allOf", []):
            if "$ref" in part and self.members(part) and base is None:
                base = part
            else:
                own |= self.members(part)
                required |= self.required(part)
        patch = source.endswith("Patch") or source.startswith("SentAgain")
        if source == "SessionPatch":
            # The members of a configuration, of which the document names those with rules of their own.
            own = {**{k: v for k, v in self.schemas["SessionConfiguration"]["properties"].items() if k != "kind"}, **own}
        siblings, rows = [], []
        for key, value in own.items():
            kind = self.type(value, swift, key, siblings)
            nullable = self.is_nullable(value)
            if (patch and nullable) or (source, key) in NULLS:
                kind, optional = f"Change<{kind}>", True
            elif patch:
                optional = True
            else:
                optional = nullable or key not in required
            rows.append((key, kind, optional, nullable and key in required and not patch, value))
        lines = documented(schema.get("description"), indent, swift)
        if base:
            lines.append(f"{pad}@dynamicMemberLookup")
        lines.append(f"{pad}public struct {swift}: Codable, Hashable, Sendable {{")
        if base:
            base = self.base(base)
            lines += [f"{pad}    /// The members that it shares with `{base[1]}`; they can be read as its own.",
                      f"{pad}    public var {base[0]}: {base[1]}"]
        for key, kind, optional, _, value in rows:
            text = value.get("description") or self.resolved(value).get("description")
            lines += documented(text, indent + 4, key)
            lines.append(f"{pad}    public var {member(key)}: {kind}{'?' if optional else ''}")
        lines += self.initializer(rows, base, indent)
        lines += self.keys(rows, indent)
        if base or any(row[3] for row in rows) or any(row[1].startswith("Change<") for row in rows):
            lines += self.coding(rows, base, indent)
        for name, inner in siblings:
            nested = source if patch else f"{swift}.{name}"
            lines += [""] + self.lines(name, inner, indent + 4, nested)
        return lines + [f"{pad}}}"]

    def base(self, reference):
        name = self.type(reference, None, "", [])
        return {"DownloadSnapshot": "snapshot", "UploadSnapshot": "snapshot", "SessionSummary": "summary",
                "WebhookEndpoint": "endpoint"}.get(name, camel(name)), name

    def initializer(self, rows, base, indent):
        pad = " " * indent
        ordered = [row for row in rows if not row[2]] + [row for row in rows if row[2]]
        parameters = ([f"{base[0]}: {base[1]}"] if base else []) + [
            f"{member(key).strip('`') if member(key).strip('`') not in ('in',) else member(key)}: {kind}"
            f"{'? = nil' if optional else ''}" for key, kind, optional, _, _ in ordered]
        lines = ["", f"{pad}    /// Makes one of its members; those that are left out are nil."]
        if not parameters:
            return lines + [f"{pad}    public init() {{}}"]
        lines += [f"{pad}    public init(", *[f"{pad}        {one}," for one in parameters[:-1]],
                  f"{pad}        {parameters[-1]}", f"{pad}    ) {{"]
        if base:
            lines.append(f"{pad}        self.{base[0]} = {base[0]}")
        lines += [f"{pad}        self.{member(key).strip('`')} = {member(key)}" for key, *_ in rows]
        return lines + [f"{pad}    }}"]

    def keys(self, rows, indent):
        pad = " " * indent
        if not rows:
            return []
        lines = ["", f"{pad}    private enum CodingKeys: String, CodingKey {{"]
        for key, *_ in rows:
            name = member(key)
            lines.append(f"{pad}        case {name}" + ("" if name.strip("`") == key else f' = "{key}"'))
        return lines + [f"{pad}    }}"]

    def coding(self, rows, base, indent):
        pad = " " * indent
        lines = []
        changes = any(row[1].startswith("Change<") for row in rows)
        if base or changes:
            lines += ["", f"{pad}    /// Reads its members.",
                      f"{pad}    public init(from decoder: any Decoder) throws {{"]
            if base:
                lines.append(f"{pad}        {base[0]} = try {base[1]}(from: decoder)")
            if rows:
                lines.append(f"{pad}        let members = try decoder.container(keyedBy: CodingKeys.self)")
            for key, kind, optional, _, _ in rows:
                name = member(key).strip("`")
                if kind.startswith("Change<"):
                    how = f"try members.change({kind[7:-1]}.self, at: .{name})"
                elif optional:
                    how = f"try members.decodeIfPresent({kind}.self, forKey: .{name})"
                else:
                    how = f"try members.decode({kind}.self, forKey: .{name})"
                lines.append(f"{pad}        self.{name} = {how}")
            lines.append(f"{pad}    }}")
        lines += ["", f"{pad}    /// Writes its members; a required one that is nil is null.",
                  f"{pad}    public func encode(to encoder: any Encoder) throws {{"]
        if base:
            lines.append(f"{pad}        try {base[0]}.encode(to: encoder)")
        if rows:
            lines.append(f"{pad}        var members = encoder.container(keyedBy: CodingKeys.self)")
        for key, kind, optional, null, _ in rows:
            name = member(key).strip("`")
            call = "encodeIfPresent" if optional and not null else "encode"
            lines.append(f"{pad}        try members.{call}(self.{name}, forKey: .{name})")
        lines.append(f"{pad}    }}")
        if base:
            lines += ["", f"{pad}    /// Reads a member of `{base[0]}`.",
                      f"{pad}    public subscript<Value>(dynamicMember path: KeyPath<{base[1]}, Value>) -> Value {{",
                      f"{pad}        {base[0]}[keyPath: path]", f"{pad}    }}"]
        return lines
