import type {
  AddResponse, AuthorizationStatus, DeviceFrame, DeviceState, DismissResponse, Duration, Event,
  Notification, NotificationContent, NotificationSettings, PendingRequest, Reason,
  RenderedNotification, RespondOutcome, StreamRpcs, Trigger, UnaryRpcs,
} from "./contract.js";

export * from "./contract.js";

/**
 * Makes a client; nothing is sent before its first call.
 *
 *     const client = connect({ url: "http://127.0.0.1:50080", token });
 */
export function connect(options?: ConnectOptions): Client;

export interface ConnectOptions {
  /** The address of `belfry serve --http-listen`. A page's own origin unless it is named. */
  url?: string | URL;
  /** What `belfry token create` printed. In Node and Deno else BELFRY_TOKEN of the environment. */
  token?: string;
  /** How long a call may take with its retries, in milliseconds: 30,000. */
  timeout?: number;
  /** What sends requests in place of `fetch`. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** How long the call may take with its retries, in milliseconds. */
  timeout?: number;
  /** Ends the call, which then fails with the signal's reason. */
  signal?: AbortSignal;
}

export class Client {
  /** The notification center of an app, on the local device unless another is named. */
  app(id: string, options?: { device?: string }): App;
  /** The person at a device; without a name the local one. */
  device(id?: string): Device;
  /**
   * Calls any rpc by its name. A stream is iterated; it ends with the connection.
   *
   *     await client.call("belfry.v1.AdminService/GetStats");
   *
   * An instant is a Date, bytes are a Uint8Array, a 64-bit number is a number, an enum is a name. A
   * field of an answer is absent where it has its default: 0, "", false or [].
   */
  call<Rpc extends keyof UnaryRpcs>(
    rpc: Rpc, request?: UnaryRpcs[Rpc]["request"], options?: CallOptions,
  ): Promise<UnaryRpcs[Rpc]["response"]>;
  call<Rpc extends keyof StreamRpcs>(
    rpc: Rpc, request?: StreamRpcs[Rpc]["request"], options?: CallOptions,
  ): AsyncGenerator<StreamRpcs[Rpc]["response"], void, void>;
  /** Ends the streams, which then fail with CANCELLED; calls that are under way go on. */
  close(): void;
  readonly isClosed: boolean;
}

/** A length of time, also a Temporal.Duration; or protobuf's, as "300s". */
export type Span =
  | { weeks?: number; days?: number; hours?: number; minutes?: number; seconds?: number; milliseconds?: number }
  | Duration;

/** The time between two notifications; one unit of days and above is the calendar's. */
export type Step = Span | { months: number } | { years: number };

export type Weekday =
  "sunday" | "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday";

/** Each date that matches: `{ hour: 8 }` is every day at 8:00. */
export interface Dates {
  year?: number;
  month?: number;
  day?: number;
  hour?: number;
  minute?: number;
  second?: number;
  weekdays?: Weekday[];
  /** A name of the zone database; without it the device's zone. */
  timeZone?: string;
  /** Ends it with the first date. */
  once?: boolean;
}

/** A button of a notification. */
export interface Action {
  /** What `Answer.action` is once it is pressed. */
  id: string;
  title: string;
  /** Lets the person type: true, or what stands in the empty field. */
  reply?: boolean | string | { buttonTitle?: string; placeholder?: string };
  /** Needs an unlocked screen. */
  unlock?: boolean;
  /** Is shown as a warning. */
  destructive?: boolean;
  /** Opens the app. */
  open?: boolean;
}

/**
 * A file of at most 768 KiB, or the identifier of a stored one. The ending of its name tells what it
 * is, and without a name the type of the Blob.
 */
export type File = Blob | string | { data: Blob | Uint8Array; name: string };

export interface AddOptions extends CallOptions {
  subtitle?: string;
  body?: string;
  /** Names it: a later one with this name takes its place. */
  id?: string;
  /** Groups notifications of the app. */
  thread?: string;
  /** The app's badge once it is shown. */
  badge?: number;
  /** Plays the system's sound, or one of the app's by its name. */
  sound?: boolean | string;
  level?: "passive" | "active" | "timeSensitive" | "critical";
  /** The app's own data, which an answer has too: anything that JSON can say of an object. */
  info?: object;
  /** Its buttons, which live and die with it. */
  actions?: Action[];
  /** A category of the app, whose buttons it has where it has no `actions`. */
  category?: string;
  /** How much is done, 0 to 1. */
  progress?: number;
  /** In place of a shown one of its `id`, it shows no banner and plays no sound. */
  quiet?: boolean;
  attach?: File[];
  /** The instant; with `every` the first one. */
  at?: Date;
  /** After a time. */
  in?: Span;
  /** Again and again, from `at` or from now. */
  every?: Step;
  /** At each date that matches. */
  on?: Dates;
  /** The last instant of what repeats, and how often it comes. */
  until?: Date;
  times?: number;
  /** How late it may come after down time. */
  expires?: Span;
  /** The key of the shown notifications that it takes the place of. */
  replaces?: string;
  /** More of the content, and any trigger, as the protos have them. */
  content?: NotificationContent;
  trigger?: Trigger;
  /** An idempotency key, for a program that may be killed and tries again; see `newKey`. */
  key?: string;
}

export class App {
  readonly id: string;
  /**
   * Asks the person for permission, and waits up to `wait` for the answer, a minute unless said; what
   * was answered before is told at once. Without options it asks for alerts, sounds and badges.
   */
  authorize(options?: {
    alert?: boolean; sound?: boolean; badge?: boolean; provisional?: boolean;
    criticalAlert?: boolean; timeSensitive?: boolean; wait?: Span;
  }): Promise<{ granted: boolean; status?: AuthorizationStatus; promptId?: string }>;
  /**
   * Schedules a notification, or shows it now.
   *
   *     await app.add("Milk", { at: new Date("2026-01-31T09:00:00Z"), actions: [{ id: "done", title: "Done" }] });
   */
  add(title: string, options?: AddOptions): Promise<AddResponse>;
  add(options: AddOptions & { title?: string }): Promise<AddResponse>;
  /**
   * Waits for the answer to what was added, which is complete then; any number may wait at once. A
   * later run of a program that kept what `add` gave goes on waiting with it. `timeout` is in
   * milliseconds, for ever without it. Fails with NotAnswered where the notification is gone without
   * an answer, and with DeadlineExceeded where none came in time.
   *
   *     const { action } = await app.wait(await app.add("Deploy?", { actions: [{ id: "yes", title: "Deploy" }] }));
   */
  wait(added: AddResponse, options?: CallOptions): Promise<{ id: string; action: string; text?: string }>;
  /** All that wait. */
  pending(): Promise<PendingRequest[]>;
  /** All that are shown. */
  delivered(): Promise<Notification[]>;
  /** Removes what waits and what is shown by these names, and gives the names of what was there. */
  remove(...ids: string[]): Promise<string[]>;
  /** Sets the badge; 0 shows none. */
  badge(count: number): Promise<number>;
  /**
   * The events after a number, 0 for all that are kept, or from now on: each once and in order, also
   * across cuts and restarts. A program that keeps the number of the last one goes on there.
   *
   *     for await (const event of app.events({ after })) await keep(after = event.number);
   */
  events(options?: { after?: number; signal?: AbortSignal }): AsyncGenerator<Event & { number: number }, void, void>;
  /**
   * What the person does, each once. An answer is completed when the next one is asked for: one that
   * the loop ended at, by a throw or a break, is told again to the next who asks, unless
   * `answer.complete()` was called. One program of an app at a time is told.
   *
   *     for await (const answer of app.answers()) await handle(answer);
   */
  answers(options?: { signal?: AbortSignal }): AsyncGenerator<Answer, void, void>;
  /**
   * Calls `handle` for each answer with an action, which is completed unless `handle` throws; "*" is
   * any action that has no other handler. What nobody handles waits for a handler. Gives what ends it.
   *
   *     app.on("done", (answer) => list.remove(answer.id));
   */
  on(action: "default" | "dismiss" | "*" | (string & {}), handle: (answer: Answer) => unknown): () => void;
  /** Gets what a handler of `on` threw, and why `on` ended; the console does unless it is set. */
  onerror: (error: unknown, answer?: Answer) => void;
}

export class Answer {
  /** The notification's name. */
  readonly id: string;
  /** The button's, "default" where the person opened the notification, or "dismiss". */
  readonly action: "default" | "dismiss" | (string & {});
  /** What the person typed. */
  readonly text?: string;
  /** The data that it was added with. */
  readonly info?: any;
  readonly notification: Notification;
  /** Names the answer: the same each time that it is told. */
  readonly callbackId: string;
  /** Says that it is handled, so that it is not told again. */
  complete(): Promise<void>;
}

/** A notification on a screen: its name, with its app where two have one of that name, or itself. */
export type Shown = string | { id: string; app?: string } | RenderedNotification;

export class Device {
  /** What the person sees in the list, the newest group first. */
  screen(options?: { apps?: string[] }): Promise<RenderedNotification[]>;
  /** Presses a button; without one opens the notification. */
  press(shown: Shown, action?: string): Promise<RespondOutcome>;
  reply(shown: Shown, action: string, text: string): Promise<RespondOutcome>;
  dismiss(shown: Shown): Promise<DismissResponse>;
  /** Allows what an app asks for, also where it asks within the next 30 s. */
  allow(app: string | App, options?: { signal?: AbortSignal }): Promise<NotificationSettings>;
  deny(app: string | App, options?: { signal?: AbortSignal }): Promise<NotificationSettings>;
  lock(): Promise<DeviceState>;
  unlock(): Promise<DeviceState>;
  /** Changes the parts of the state that are named. */
  update(state: DeviceState): Promise<DeviceState>;
  /** What happens on the screen: after each cut it begins again with a snapshot. */
  watch(options?: { apps?: string[]; signal?: AbortSignal }): AsyncGenerator<DeviceFrame, void, void>;
}

/** Why a call was refused or failed. The message never holds a notification's content. */
export class BelfryError extends Error {
  /** gRPC's code, as "NOT_FOUND". */
  readonly code: string;
  /** The stable reason; empty where no server answered. */
  readonly reason: Reason | "" | (string & {});
  /** "belfry", or "UNErrorDomain" with Apple's number in `metadata.code`. */
  readonly domain: string;
  readonly metadata: Record<string, string>;
  /** What is wrong with which fields. */
  readonly fields: { field: string; description: string }[];
  /** In how many milliseconds a retry can help; absent where it does not. */
  readonly retryAfter?: number;
  /** The details as the Connect protocol has them. */
  readonly details: { type: string; value: string; debug?: object }[];
}

/** A request that is wrong: `fields` says where. */
export class InvalidRequest extends BelfryError {}
/** What the person, or the server's owner, does not allow. */
export class NotAllowed extends BelfryError {}
/** An app, a notification or another thing that is not there. */
export class NotFound extends BelfryError {}
/** A call that does not fit the state of things. */
export class Conflict extends BelfryError {}
/** A position in the events that is not kept any more: `metadata.first_number` is the oldest. */
export class EventsTrimmed extends BelfryError {}
/** A limit that a retry does not help with, a full store too. */
export class LimitReached extends BelfryError {}
export class StoreFull extends LimitReached {}
/** A notification is gone without an answer: `reason` says how, as "REMOVED". */
export class NotAnswered extends BelfryError {}
/** A server that does not answer, or does not serve now. */
export class Unavailable extends BelfryError {}
/** A time that was too short: whether a change was made is unknown. */
export class DeadlineExceeded extends BelfryError {}

/** A version 7 UUID, as idempotency keys are. */
export function newKey(now?: number): string;
/** A length of time as protobuf's JSON has it. */
export function duration(span: Span): Duration;
