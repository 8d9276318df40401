// The API of Kubernetes over HTTP, without credentials, through `kubectl proxy`.

export class Api {
  constructor(base) {
    this.base = base;
    this.closing = new AbortController();
  }

  /** Returns the answer's body. Rejects with an error that has the `status` if it is not 2xx. */
  async send(method, path, body, type = 'application/json') {
    const response = await fetch(this.base + path, {
      method,
      headers: body ? { 'content-type': type } : {},
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok) throw Object.assign(new Error(`${method} ${path}: ${answer.message}`), { status: response.status });
    return answer;
  }

  get(path) {
    return this.send('GET', path);
  }

  async list(path, selector = '') {
    return (await this.get(`${path}?labelSelector=${encodeURIComponent(selector)}`)).items;
  }

  /**
   * Calls `seen(type, object)` for each existing object and for each later change, until the API is closed. When the server ends the watch,
   * as it does after minutes without changes, the watch starts again with the existing objects.
   */
  async watch(path, seen) {
    const { items, metadata } = await this.get(path);
    for (const item of items) seen('ADDED', item);
    const { body } = await fetch(`${this.base}${path}?watch=true&resourceVersion=${metadata.resourceVersion}`, {
      signal: this.closing.signal,
    });
    const reading = async () => {
      let rest = '';
      for await (const text of body.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + text).split('\n');
        rest = lines.pop();
        for (const line of lines) {
          const { type, object } = JSON.parse(line);
          seen(type, object);
        }
      }
    };
    const again = () => (this.closing.signal.aborted ? undefined : this.watch(path, seen));
    reading()
      .then(again, again)
      .catch((error) => this.closing.signal.aborted || console.error(error));
  }

  close() {
    this.closing.abort();
  }
}
