/** The page's end of the bridge: calls go out in their order, answers and events come in theirs. */
export class Channel {
  #token;
  #view = null;
  #count = 0;
  #waiting = new Map();
  #queue = [];
  #isSending = false;

  /** `onEvent({list, event, params})` is called for each event, `onEnd(message)` when the bridge is gone. */
  constructor(token, onEvent, onEnd) {
    this.#token = token;
    this.onEvent = onEvent;
    this.onEnd = onEnd;
  }

  /** Opens the stream; gives what the bridge says of each of its lists. */
  async connect() {
    const response = await this.#post("/stream");
    return new Promise((resolve, reject) => {
      this.#read(response.body.pipeThrough(new TextDecoderStream()).getReader(), resolve)
        .catch(() => {})
        .then(() => {
          const gone = new Error("The bridge has ended: start it again, and open the address that it prints.");
          for (const { reject } of this.#waiting.values()) reject(gone);
          this.#waiting.clear();
          this.#view = null;
          reject(gone);
          this.onEnd(gone.message);
        });
    });
  }

  async #read(reader, onHello) {
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const lines = value.split("\n");
      lines[0] = rest + lines[0];
      rest = lines.pop();
      for (const line of lines) this.#take(JSON.parse(line), onHello);
    }
  }

  #take(message, onHello) {
    if (message.view) {
      this.#view = message.view;
      onHello(message.lists);
    } else if (message.event) {
      this.onEvent(message);
    } else {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.error) waiting?.reject(Object.assign(new Error(message.error.message), message.error));
      else waiting?.resolve(message.result);
    }
  }

  call(list, method, params = {}) {
    return new Promise((resolve, reject) => {
      const id = ++this.#count;
      this.#waiting.set(id, { resolve, reject });
      this.#queue.push({ id, list, method, params });
      this.#send();
    });
  }

  /** One request at a time, with all that has come together meanwhile: two could overtake each other. */
  async #send() {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#queue.length) {
      const calls = this.#queue.splice(0, 200);
      try {
        await this.#post("/calls", JSON.stringify({ view: this.#view, calls }));
      } catch (error) {
        for (const { id } of calls) {
          this.#waiting.get(id)?.reject(error);
          this.#waiting.delete(id);
        }
      }
    }
    this.#isSending = false;
  }

  async #post(path, body) {
    const response = await fetch(path, { method: "POST", headers: { Authorization: `Bearer ${this.#token}` }, body });
    if (!response.ok) throw new Error((await response.text()).trim());
    return response;
  }
}
