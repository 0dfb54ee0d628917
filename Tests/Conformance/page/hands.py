"""How a person works the page: by mouse, or by keyboard alone. A task that is given a hand uses nothing else."""
from world import check

STEPS = 400


class Mouse:
    name = "mouse"

    def press(self, target):
        target.click()

    def tick(self, target):
        target.click()

    def write(self, target, words):
        target.click()
        target.press("ControlOrMeta+a")
        target.page.keyboard.insert_text(words)

    def choose(self, target, label):
        target.select_option(label=label)


class Keyboard:
    name = "keyboard"

    def reach(self, target):
        """Goes with the Tab key to an element; what cannot be reached so does not exist for many people."""
        target.wait_for(state="visible")
        keyboard = target.page.keyboard
        for _ in range(STEPS):
            if target.evaluate("it => it === document.activeElement"):
                check(target.evaluate(SHOWS_FOCUS), f"nothing shows that {target} has the focus")
                return
            keyboard.press("Tab")
        check(False, f"the Tab key does not reach {target}")

    def press(self, target):
        self.reach(target)
        target.page.keyboard.press("Enter")

    def tick(self, target):
        self.reach(target)
        target.page.keyboard.press("Space")

    def write(self, target, words):
        self.reach(target)
        target.page.keyboard.press("ControlOrMeta+a")
        target.page.keyboard.insert_text(words)

    def choose(self, target, label):
        self.reach(target)
        target.page.keyboard.type(label)
        chosen = target.evaluate("it => it.selectedOptions[0].label")
        check(chosen == label, f"the keys chose {chosen}, not {label}")


SHOWS_FOCUS = """it => {
    const shown = [it, it.closest('label')].filter(Boolean).map(one => getComputedStyle(one));
    return it.matches(':focus-visible')
        && shown.some(one => one.outlineStyle !== 'none' || one.boxShadow !== 'none');
}"""

HANDS = (Mouse(), Keyboard())
