// The names of FoundationNetworking that stay as they are. Those of its URLSession are not among
// them: this module has its own, so that no file uses the other by mistake.
#if canImport(FoundationNetworking)
    @_exported import class FoundationNetworking.HTTPURLResponse
    @_exported import class FoundationNetworking.URLResponse
    @_exported import struct FoundationNetworking.URLRequest
#endif
