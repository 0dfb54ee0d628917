"""How a person works the page: by mouse, or by keyboard alone. A task that is given a hand uses nothing else."""
from world import check

STEPS = 400


def write_time(target, time):
    """Digits into the parts of an input of times, from its first part on; the browser may count twelve hours."""
    hour, minute = time.split(":")
    half = f"{(int(hour) - 1) % 12 + 1:02}{minute}{'AM' if int(hour) < 12 else 'PM'}"
    for words in (hour + minute, half):
        for _ in range(3):
            target.press("ArrowLeft")
        target.page.keyboard.type(words)
        if target.input_value() == time:
            return
    check(False, f"the keys made {target.input_value()} of {time}")


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

    def set_time(self, target, time):
        target.click()
        write_time(target, time)

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

    def set_time(self, target, time):
        self.reach(target)
        write_time(target, time)

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
