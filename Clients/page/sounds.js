// Sounds of notifications, as far as the browser lets a page play: after the person's first press.

export class Sounds {
  #model;
  #context;

  constructor(model, isOn) {
    this.#model = model;
    this.isOn = isOn;
    model.addEventListener("sound", ({ detail }) => this.#play(detail));
    const wake = () => {
      this.#context ??= new AudioContext();
      this.#context.resume();
    };
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, wake, { once: true });
  }

  async #play({ notification, sound = {}, attachmentId }) {
    if (!this.isOn || this.#context?.state !== "running") return;
    const volume = sound.volume ?? 0.6;
    const file = attachmentId && await this.#model.file(notification.center.appId, attachmentId);
    if (!file) return this.#chime(volume, sound.kind === "SOUND_KIND_RINGTONE" ? 4 : 1);
    const player = new Audio(file.url);
    player.volume = volume;
    player.play().catch(() => this.#chime(volume, 1));
  }

  /** Two soft notes, as often as a telephone rings. */
  #chime(volume, times) {
    const start = this.#context.currentTime;
    for (let place = 0; place < times; place++) {
      [[880, 0], [1318.5, 0.12]].forEach(([pitch, later]) => {
        const at = start + place * 0.7 + later;
        const note = new OscillatorNode(this.#context, { frequency: pitch });
        const gain = new GainNode(this.#context, { gain: 0 });
        gain.gain.setTargetAtTime(volume * 0.25, at, 0.005);
        gain.gain.setTargetAtTime(0, at + 0.05, 0.12);
        note.connect(gain).connect(this.#context.destination);
        note.start(at);
        note.stop(at + 0.8);
      });
    }
  }
}
