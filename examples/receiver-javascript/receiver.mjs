// Takes webhooks of Lull at http://127.0.0.1:PORT/ and prints each event once. Node 18 or later, no packages:
//     SECRET=whsec_... PORT=9000 node receiver.mjs
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const key = Buffer.from(process.env.SECRET.replace(/^whsec_/, ""), "base64");
const seen = new Set(); // where it has to outlast a restart: a column that is unique

/** Whether the webhook was signed with the secret within the last five minutes. */
function isGenuine(fields, body) {
    const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": given } = fields;
    if (!id || !given || !/^\d+$/.test(time ?? "") || Math.abs(Date.now() / 1000 - time) > 300) return false;
    const expected = createHmac("sha256", key).update(`${id}.${time}.`).update(body).digest();
    // Several while the secret is replaced; each `v1,` and base64.
    return given.split(" ").some((word) => {
        const bytes = Buffer.from(word.slice(3), "base64");
        return word.startsWith("v1,") && bytes.length === expected.length && timingSafeEqual(bytes, expected);
    });
}

createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces); // the bytes as they came, before anything parses them
    if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
    const event = JSON.parse(body);
    if (!seen.has(request.headers["webhook-id"])) { // the same event may come again
        seen.add(request.headers["webhook-id"]);
        // Events of sessions have the session's identifier; they come only if they are named in the subscription.
        console.log(event.type, event.data.id ?? event.data.identifier);
    }
    response.writeHead(204).end(); // received; after a session.wake: done (202: still at work)
}).listen(Number(process.env.PORT), "127.0.0.1");
