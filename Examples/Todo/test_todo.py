"""The to-do list, on a server of the tests."""

from todo import Todo


def test_a_task_comes_when_it_is_due(app, clock, assert_delivered):
    milk = Todo(app).add("Milk", "2h")
    clock.advance("2h")
    assert_delivered("Milk")
    assert Todo(app).list() == [f"{milk} Milk: now"]


def test_a_canceled_task_does_not_come(app, clock, assert_delivered):
    app.remove(Todo(app).add("Milk", "2h"))
    clock.advance("1 day")
    assert_delivered()


def test_a_press_outlives_a_crash(app, clock, person, bad_day, capsys):
    milk = Todo(app).add("Milk", "2h")
    bad_day.kill_and_restart()
    clock.advance("2h")
    person.press(milk, "done")
    bad_day.kill_and_restart()
    Todo(app).app.run(count=1)
    assert capsys.readouterr().out == "Milk is done\n"


def test_the_person_puts_it_off(app, clock, person, assert_delivered):
    milk = Todo(app).add("Milk", "2h")
    clock.advance("2h")
    person.reply(milk, "later", "3 days")
    app.run(count=1)
    clock.advance("3 days")
    assert_delivered("Milk")
