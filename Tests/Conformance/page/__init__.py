"""The page in browsers: scenes by mouse and by keyboard, judged by axe and by what the browser reports."""
