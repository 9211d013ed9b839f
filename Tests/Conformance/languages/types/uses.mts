// Compiles only where the types of the JavaScript module say what they should.
import { connect, NotAllowed } from "../../../../Clients/js/belfry.js";
import type { Reason } from "../../../../Clients/js/belfry.js";

export async function todo(): Promise<void> {
  const client = connect({ url: "http://127.0.0.1:50080", token: "t" });
  const app = client.app("org.example.todo");
  const { granted } = await app.authorize({ alert: true });
  const allowed: boolean = granted;
  const added = await app.add("Milk", { id: "milk", at: new Date(), actions: [{ id: "done", title: "Done" }] });
  const next: Date | undefined = added.nextTriggerDate;
  for (const { request } of await app.pending()) console.log(request?.identifier, allowed, next);
  app.on("done", async (answer) => void (await app.remove(answer.id)));
  for await (const event of app.events({ after: 3 })) {
    const number: number = event.number;
    const shown: string | undefined = event.delivered?.notification?.request?.content?.title;
    console.log(number, shown);
  }
  const { clock } = await client.call("belfry.v1.AdminService/AdvanceClock", { by: "3600s" });
  const now: Date | undefined = clock?.now;
  for await (const { frames } of client.call("belfry.v1.DeviceService/WatchDevice", {})) {
    console.log(now, frames?.[0]?.banner?.notification?.title);
  }
  const { data }: { data?: Uint8Array } =
    await client.call("belfry.v1.AttachmentService/GetAttachment", { attachmentId: "a" }) as { data?: Uint8Array };
  try {
    await client.device().press("milk", "done");
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    const reason: Reason = "NOTIFICATIONS_NOT_ALLOWED";
    console.log(error.reason === reason, data);
  }
  // @ts-expect-error There is no such rpc.
  await client.call("belfry.v1.AdminService/Nothing", {});
  // @ts-expect-error There is no such field.
  await client.call("belfry.v1.AdminService/AdvanceClock", { be: "3600s" });
  // @ts-expect-error A length of time is no number.
  await app.add("Tea", { in: 5 });
  // @ts-expect-error An instant is no text.
  await app.add("Tea", { at: "2026-01-01" });
  // @ts-expect-error There is no such enum value.
  await client.call("belfry.v1.DeviceService/Dismiss", { kind: "DISMISS_KIND_NOTHING" });
}
