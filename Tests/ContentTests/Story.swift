// ContentTests
