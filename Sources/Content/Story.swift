// Content
