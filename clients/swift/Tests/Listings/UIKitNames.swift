// swift-format-ignore-file
// The few names of UIKit that the listings use.
import Foundation

public protocol UIApplicationDelegate: AnyObject {}

public final class UIApplication {
    public struct LaunchOptionsKey: Hashable {}
    public static let shared = UIApplication()
    public var delegate: UIApplicationDelegate?
    public var isNetworkActivityIndicatorVisible = false
}

open class UIViewController: NSObject {
    public override init() {}
    open func viewDidLoad() {}
}

public final class UILabel: NSObject {
    public var text: String?
}

public final class UIProgressView: NSObject {
    public var progress: Float = 0
}
