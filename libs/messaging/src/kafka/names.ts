import type { Outgoing, SubscribeOptions } from '../broker.ts';
import { deadLettersOf, redriveOf } from './record.ts';
import type { Owned } from './remove-all.ts';

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

  /** What an installation with these services has. Its prefix may be empty, or begin the prefix of another installation. */
  owned(services: readonly string[]): Owned {
    const shortOf = (name: string) => (name.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : null);
    const isGroup = (name: string | null) => services.some((service) => name === service || name?.startsWith(`${service}.`));
    const isTopic = (name: string | null) => services.some((service) => name === `parlance.${service}`);
    const ownEnds = [deadLettersOf(''), redriveOf('')];
    return {
      isGroup: (name) => isGroup(shortOf(name)),
      isTopic: (name) =>
        isTopic(shortOf(name)) || ownEnds.some((end) => name.endsWith(end) && isGroup(shortOf(name.slice(0, -end.length)))),
    };
  }
}
