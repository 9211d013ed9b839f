// Triggers: in words, from what a person fills in, and as others write them.

const seconds = (duration) => parseFloat(duration ?? "0");
/** A length as it is: 90 minutes are not two hours. */
function exactly(length) {
  const [unit, size] = [["day", 86_400], ["hour", 3600], ["minute", 60]].find(([, size]) => length % size === 0) ?? ["second", 1];
  return `${length / size} ${unit}${length === size ? "" : "s"}`;
}
const each = (length) => exactly(length).replace(/^1 /, "");
const capital = (text) => text && text[0].toUpperCase() + text.slice(1);
const two = (number) => String(number).padStart(2, "0");

export const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
export const ordinals = [["first", 1], ["second", 2], ["third", 3], ["fourth", 4], ["last", -1]];
export const months = Array.from({ length: 12 }, (_, place) =>
  new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" }).format(Date.UTC(2026, place, 1)));

const numbered = (day) => `${day}${["th", "st", "nd", "rd"][day % 100 > 10 && day % 100 < 14 ? 0 : day % 10] ?? "th"}`;
const dayName = (day) => capital(day.replace("WEEKDAY_", "").toLowerCase());
const listed = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);
const place = (zone) => (zone ? ` in ${zone.replace(/^.*\//, "").replaceAll("_", " ")}` : "");
const clock = ({ hour, minute = 0, second = 0 }) => `${hour}:${two(minute)}${second ? `:${two(second)}` : ""}`;

/* In words */

/** When a trigger fires, as "Every last Friday at 9:00 in Lisbon". */
export function sentence(trigger = {}) {
  const { timeInterval, calendar, anchoredInterval, recurrence, at, location, repeats, limits = {} } = trigger;
  const said = timeInterval ? (repeats ? `Every ${each(seconds(timeInterval.interval))}` : `After ${exactly(seconds(timeInterval.interval))}`)
    : at ? "Once"
      : anchoredInterval ? ofGrid(anchoredInterval, repeats)
        : calendar ? ofCalendar(calendar, repeats)
          : recurrence ? ofRecurrence(recurrence, repeats)
            : location ? "At a place" : "";
  const { maxOccurrences: times } = limits;
  return said && said + (limits.endAt ? ", until its end" : "") + (times ? `, ${times === 1 ? "once" : `${times} times`}` : "");
}

function ofGrid({ interval, calendarStep, timeZone }, repeats) {
  if (!repeats) return "Once";
  if (!calendarStep) return `Every ${each(seconds(interval))}`;
  return `Every ${counted(calendarStep.count, calendarStep.unit?.replace("CALENDAR_UNIT_", "").toLowerCase())}${place(timeZone)}`;
}

const counted = (count = 1, unit = "step") => (count === 1 ? unit : `${count} ${unit}s`);

function ofCalendar({ dateComponents: parts = {}, weekdays: several = [] }, repeats) {
  const { year, month, day, weekday, weekdayOrdinal, hour, minute, timeZone } = parts;
  const names = weekday === undefined ? several.map(dayName) : [dayName(weekday)];
  const time = hour === undefined ? (minute === undefined ? "" : ` at minute ${minute}`) : ` at ${clock(parts)}`;
  if (!repeats || year !== undefined) {
    const date = [day, month && months[month - 1], year].filter(Boolean).join(" ");
    return `Once${date && ` on ${date}`}${time}${place(timeZone)}`;
  }
  const known = ["month", "day", "hour", "minute", "second", "weekday", "weekdayOrdinal", "timeZone", "calendar"];
  if (Object.keys(parts).some((part) => !known.includes(part))) return `Again and again${time}${place(timeZone)}`;
  const ordinal = ordinals.find(([, number]) => number === weekdayOrdinal)?.[0] ?? (weekdayOrdinal && `${weekdayOrdinal}th`);
  const inMonth = month && ` of ${months[month - 1]}`;
  const days = names.length ? (ordinal ? `${ordinal} ${names[0]}${inMonth ?? ""}` : listed(names) + (day ? ` the ${numbered(day)}` : "") + (inMonth ?? ""))
    : day ? (month ? `year on ${day} ${months[month - 1]}` : `month on the ${numbered(day)}`)
      : month ? `day${inMonth}` : hour === undefined ? "hour" : "day";
  return `Every ${days}${time}${place(timeZone)}`;
}

function ofRecurrence({ rule = "", cron, start = "", timeZone }, repeats) {
  if (cron) return `By the crontab “${cron}”${place(timeZone)}`;
  if (!rule) return repeats ? "On its dates" : "Once";
  const parts = Object.fromEntries(rule.replace(/^RRULE:/, "").split(";").map((part) => part.split("=")));
  const { FREQ, INTERVAL = "1", RSCALE, SKIP, ...others } = parts;
  const unit = { DAILY: "day", WEEKLY: "week", MONTHLY: "month", YEARLY: "year" }[FREQ];
  const [, year, month, day, hour = "00", minute = "00"] = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d)?/.exec(start) ?? [];
  const from = year ? ` from ${Number(day)} ${months[month - 1]} ${year} at ${Number(hour)}:${minute}` : "";
  return (unit && !Object.keys(others).length ? `Every ${counted(Number(INTERVAL), unit)}` : `By the rule ${rule}`) + from + place(timeZone);
}

/* From what a person fills in */

const sizes = { seconds: ["s", 1], minutes: ["m", 60], hours: ["h", 3600], days: ["d", 86_400] };
const steps = {
  days: ["FREQ=DAILY", ""], weeks: ["FREQ=WEEKLY", ""],
  months: ["RSCALE=GREGORIAN;FREQ=MONTHLY", ";SKIP=BACKWARD"], years: ["RSCALE=GREGORIAN;FREQ=YEARLY", ";SKIP=BACKWARD"],
};
const local = (text) => text.split(/[-T:]/).map(Number);
const needed = (value, what) => {
  if (!value) throw new Error(`Say ${what}.`);
  return value;
};
const zoned = (zone) => (zone ? { timeZone: zone } : {});
const info = (zone) => `tzinfo=ZoneInfo(${quote(zone)})`;

/** What a zone's clocks show at an instant, as if it was UTC. */
function shown(instant, zone) {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric",
  }).formatToParts(instant);
  const [year, month, day, hour, minute, second] = ["year", "month", "day", "hour", "minute", "second"]
    .map((type) => Number(parts.find((part) => part.type === type).value));
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The instant at which a zone's clocks show a local time. */
export function instantOf(text, zone) {
  const [year, month, day, hour = 0, minute = 0, second = 0] = local(text);
  const wanted = Date.UTC(year, month - 1, day, hour, minute, second);
  let found = wanted;
  // The second look is for a change of the clocks between the two.
  for (let look = 0; look < 2; look++) found += wanted - shown(found, zone);
  return new Date(found);
}

const kinds = {
  in({ amount, unit }) {
    const [letter, size] = sizes[unit];
    const count = Number(needed(amount, "after how long"));
    return { trigger: { timeInterval: { interval: `${count * size}s` } }, options: ["--in", `${count}${letter}`], python: `in_=${quote(`${count}${letter}`)}` };
  },
  at({ start, zone }) {
    const [year, month, day, hour, minute] = local(needed(start, "which day and time"));
    return {
      trigger: { calendar: { dateComponents: { year, month, day, hour, minute, second: 0, ...zoned(zone) } } },
      options: ["--at", start.replace("T", " ")],
      python: zone && `at=datetime(${year}, ${month}, ${day}, ${hour}, ${minute}, ${info(zone)})`,
    };
  },
  every({ amount, unit, start, zone }) {
    const count = Number(needed(amount, "how often"));
    if (unit in sizes && unit !== "days") {
      const [letter, size] = sizes[unit];
      return {
        trigger: { repeats: true, timeInterval: { interval: `${count * size}s` } },
        options: ["--every", `${count}${letter}`], python: `every=${quote(`${count} ${unit}`)}`, hasNoDates: true,
      };
    }
    const [year, month, day, hour, minute] = local(needed(start, "when first"));
    const [frequency, rest] = steps[unit];
    const rule = `${frequency}${count === 1 ? "" : `;INTERVAL=${count}`}${rest}`;
    const isFixed = unit === "days" || unit === "weeks";
    return {
      trigger: { repeats: true, recurrence: { rule, start: packed(start), ...zoned(zone) } },
      options: ["--every", `${count} ${unit}`, "--at", start.replace("T", " ")],
      python: zone && isFixed && `every=${quote(`${count} ${unit}`)}, at=datetime(${year}, ${month}, ${day}, ${hour}, ${minute}, ${info(zone)})`,
    };
  },
  days({ which, chosen = [], day, ordinal, weekday, month, time, zone }) {
    const [hour, minute] = local(needed(time, "at what time"));
    const parts = { hour, minute, second: 0, ...zoned(zone) };
    const code = (name) => `WEEKDAY_${name.toUpperCase()}`;
    const at = `at=time(${hour}, ${minute}${zone ? `, ${info(zone)}` : ""})`;
    const made = (dateComponents, every, python, more) => ({
      trigger: { repeats: true, calendar: { dateComponents: { ...parts, ...dateComponents }, ...more } },
      options: ["--every", every, "--at", `${hour}:${two(minute)}`], python: python && `every=${quote(python)}, ${at}`,
    });
    const short = day > 28 ? { shortMonthPolicy: "SHORT_MONTH_POLICY_LAST_DAY" } : {};
    if (which === "month") return made({ day }, numbered(day), undefined, short);
    if (which === "year") return made({ month, day }, `${day} ${months[month - 1].toLowerCase()}`, undefined, short);
    if (which === "ordinal") {
      return made({ weekday: code(weekday), weekdayOrdinal: ordinal }, `${ordinals.find(([, number]) => number === ordinal)[0]} ${weekday}`);
    }
    if (which === "week" && !chosen.length) throw new Error("Say on which days.");
    if (which === "day" || chosen.length === 7) return made({}, "day", "day");
    return chosen.length === 1 ? made({ weekday: code(chosen[0]) }, chosen[0], chosen[0])
      : made({}, chosen.join(","), chosen.join(", "), { weekdays: chosen.map(code) });
  },
  cron({ text, zone }) {
    const cron = needed(text.trim(), "a line of a crontab");
    return { trigger: { repeats: true, recurrence: { cron, ...zoned(zone) } }, options: ["--cron", cron] };
  },
  rrule({ text, start, zone }) {
    const rule = needed(text.trim(), "a recurrence rule");
    const from = needed(start, "from when it counts");
    return { trigger: { repeats: true, recurrence: { rule, start: packed(from), ...zoned(zone) } }, options: ["--rrule", rule, "--from", from.replace("T", " ")] };
  },
};

const packed = (start) => `${start.replace(/[-:]/g, "").slice(0, 13)}00`;

/**
 * A trigger as it was filled in, with the options of `belfry add` and the arguments of Python's `add`;
 * these are undefined where it has none.
 */
export function planned(kind, fields) {
  const made = kinds[kind](fields);
  const { trigger, options } = made;
  const hasZone = kind !== "in" && !made.hasNoDates;
  if (hasZone && fields.zone) options.push("--zone", fields.zone);
  if (!trigger.repeats) return made;
  const limits = {};
  if (fields.until && hasZone) {
    const end = instantOf(`${fields.until}T23:59:59`, fields.zone || fields.ownZone);
    limits.endAt = end.toISOString().replace(".000Z", ".999999999Z");
    options.push("--until", fields.until);
    made.python = undefined;
  }
  if (fields.times) {
    limits.maxOccurrences = Number(fields.times);
    options.push("--times", String(fields.times));
    made.python &&= `${made.python}, times=${fields.times}`;
  }
  if (Object.keys(limits).length) trigger.limits = limits;
  return made;
}

/* As others write it */

/** A text as a string of Python. */
const quote = (text) => JSON.stringify(text);

/** A text as one word of a shell. */
function word(text) {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  // What a terminal would act on is written out.
  if (/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/.test(text)) {
    const escaped = text.replace(/[\\']/g, "\\$&").replace(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, (found) =>
      `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
    return `$'${escaped}'`;
  }
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function asCurl({ center, request }, url) {
  const body = JSON.stringify({ center, request });
  return `curl ${word(`${url}/belfry.v1.NotificationCenterService/Add`)} \\\n  -H 'Content-Type: application/json' -H "Authorization: Bearer $BELFRY_TOKEN" \\\n  -d ${word(body)}`;
}

export function asCommand({ center, request }, { options }) {
  const { title = "", body = "" } = request.content;
  const named = ["--app", center.appId, ...(center.deviceId ? ["--device", center.deviceId] : []), ...(request.identifier ? ["--id", request.identifier] : []),
    ...(body ? ["--body", body] : []), ...options];
  const words = [];
  for (let place = 0; place < named.length; place += 2) {
    const [name, value] = named.slice(place, place + 2);
    words.push(value.startsWith("-") ? word(`${name}=${value}`) : `${name} ${word(value)}`);
  }
  return ["belfry add", ...words, ...(title ? [title.startsWith("-") ? `-- ${word(title)}` : word(title)] : [])].join(" ");
}

export function asPython({ center, request }, { python }) {
  const { identifier, content, trigger } = request;
  if (!python) {
    return `import belfry\nfrom google.protobuf.json_format import ParseDict\n\nrequest = ${literal({ center, request })}\n`
      + "belfry.connect().call(belfry.rpc.Add, ParseDict(request, belfry.v1.AddRequest()))\n";
  }
  const imports = [["datetime", "datetime("], ["time", "time("]].filter(([, used]) => python.includes(used)).map(([name]) => name);
  const device = center.deviceId ? `, device=${quote(center.deviceId)}` : "";
  const words = [quote(content.title ?? ""), ...(content.body ? [quote(content.body)] : []), python, ...(identifier ? [`id=${quote(identifier)}`] : [])];
  return `${imports.length ? `from datetime import ${imports.join(", ")}\n` : ""}${python.includes("ZoneInfo") ? "from zoneinfo import ZoneInfo\n" : ""}`
    + `${imports.length ? "\n" : ""}import belfry\n\nbelfry.connect().app(${quote(center.appId)}${device}).add(${words.join(", ")})\n`;
}

function literal(value) {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (value && typeof value === "object") return `{${Object.entries(value).map(([key, each]) => `${quote(key)}: ${literal(each)}`).join(", ")}}`;
  return value === true ? "True" : value === false ? "False" : JSON.stringify(value);
}
