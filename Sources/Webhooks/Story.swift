// Webhooks
