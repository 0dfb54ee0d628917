// WebhooksTests
