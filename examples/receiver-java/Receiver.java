// Takes webhooks of Lull at http://127.0.0.1:PORT/ and prints each event once. JDK 17 or later, no packages:
//     SECRET=whsec_... PORT=9000 java Receiver.java
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Receiver {
    static final byte[] KEY = Base64.getDecoder().decode(System.getenv("SECRET").replaceFirst("^whsec_", ""));
    static final Set<String> SEEN = ConcurrentHashMap.newKeySet(); // to outlast a restart: a column that is unique

    /** Whether the webhook was signed with the secret within the last five minutes. */
    static boolean isGenuine(String id, String time, String given, byte[] body) throws GeneralSecurityException {
        if (id == null || given == null || time == null || !time.matches("\\d{1,18}")) return false;
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(time)) > 300) return false;
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
        mac.update((id + "." + time + ".").getBytes());
        var expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        for (var word : given.split(" ")) { // several while the secret is replaced
            if (MessageDigest.isEqual(word.getBytes(), expected.getBytes())) return true;
        }
        return false;
    }

    /** A member's text; a program with a JSON library reads the document. */
    static String text(String json, String member) {
        var found = Pattern.compile("\"" + member + "\":\"([^\"]*)\"").matcher(json);
        return found.find() ? found.group(1) : null;
    }

    static void take(HttpExchange exchange) throws IOException {
        var body = exchange.getRequestBody().readAllBytes(); // the bytes as they came, before anything parses them
        var fields = exchange.getRequestHeaders();
        var id = fields.getFirst("webhook-id");
        try {
            var isGenuine = isGenuine(
                id, fields.getFirst("webhook-timestamp"), fields.getFirst("webhook-signature"), body);
            if (isGenuine && SEEN.add(id)) { // the same event may come again
                var event = new String(body);
                var data = event.substring(event.indexOf("\"data\":"));
                // Events of sessions have the session's identifier; they come only if they are named in the
                // subscription.
                var subject = text(data, "id");
                System.out.println(text(event, "type") + " " + (subject != null ? subject : text(data, "identifier")));
            }
            // 204: received; after a session.wake: done (202: still at work)
            exchange.sendResponseHeaders(isGenuine ? 204 : 401, -1);
        } catch (GeneralSecurityException error) {
            exchange.sendResponseHeaders(500, -1);
        } finally {
            exchange.close();
        }
    }

    public static void main(String[] arguments) throws IOException {
        var address = new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getenv("PORT")));
        var server = HttpServer.create(address, 0);
        server.createContext("/", Receiver::take);
        server.start();
    }
}
