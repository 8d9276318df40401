import type { Outgoing, SubscribeOptions } from '../broker.ts';

/** Adds the installation's prefix to every name that Kafka sees, and removes it from every name that Kafka returns. */
export class KafkaNames {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The name on Kafka. */
  full(name: string): string {
    return `${this.#prefix}${name}`;
  }

  short(name: string): string {
    return name.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : name;
  }

  outgoing(message: Outgoing): Outgoing {
    return { ...message, topic: this.full(message.topic) };
  }

  plain<Named extends { readonly topic: string }>(named: Named): Named {
    return { ...named, topic: this.short(named.topic) };
  }

  subscription({ onTrimmed, ...options }: SubscribeOptions): SubscribeOptions {
    return {
      ...options,
      group: this.full(options.group),
      topics: options.topics.map((topic) => this.full(topic)),
      handle: (deliveries) => options.handle(deliveries.map((each) => this.plain(each))),
      ...(onTrimmed && { onTrimmed: (trimmed) => onTrimmed(this.plain(trimmed)) }),
    };
  }
}
