/** A published event, with the fields that the oracle needs. */
export interface RawEvent {
  readonly type: string;
  readonly time: string;
  readonly subject: string;
  readonly data: {
    readonly conversation_id?: string;
    readonly reply_id?: string;
    readonly user_id: string;
    readonly bot_id: string | null;
    readonly api_key_id?: string;
    readonly model?: string;
    readonly usage?: { readonly input_tokens: number; readonly output_tokens: number };
    readonly cost_nano_dollars?: number;
    readonly thumbs_up?: boolean;
    readonly category?: string | null;
    readonly has_comment?: boolean;
    readonly api_id?: string;
    readonly stage?: string;
    readonly request_count?: number;
    readonly corrections?: readonly (Place & { readonly hour: string; readonly difference_nano_dollars: number })[];
    /** Set for a correction. */
    readonly difference?: number;
  };
}

/** The payer of a use, and what was used. */
export interface Place {
  readonly user_id: string;
  readonly bot_id: string | null;
  readonly api_key_id?: string;
  readonly model: string;
}

/** An amount in dollars, as in answers. */
const dollars = (nano: bigint) => Number(nano) / 1e9;

const grouped = (events: readonly RawEvent[], keyOf: (event: RawEvent) => string) =>
  new Map([...Map.groupBy(events, keyOf)].toSorted(([a], [b]) => (a < b ? -1 : 1)));

const countOf = (events: readonly RawEvent[], keyOf: (event: RawEvent) => string | undefined) =>
  new Set(events.flatMap((event) => keyOf(event) ?? [])).size;

/**
 * What endpoints must answer, computed from all events for each question. It shares no code with the projections, caches nothing, and adds
 * up in integer nano-dollars.
 */
export class Oracle {
  readonly events: RawEvent[] = [];

  /** Charges, and corrections as charges of zero in the hour that they correct. */
  private get paid(): RawEvent[] {
    return this.events.flatMap((event) =>
      event.data.corrections === undefined
        ? [event]
        : event.data.corrections.map(({ hour, difference_nano_dollars: difference, ...place }) => ({
            ...event,
            time: `${hour}:00:00Z`,
            data: { ...place, usage: { input_tokens: 0, output_tokens: 0 }, cost_nano_dollars: 0, difference },
          })),
    );
  }

  /** Charges from one moment to another, as prefixes of RFC 3339: 2026-11, or 2026-11-21T09. */
  charges(from: string, to: string, more: { readonly user?: string; readonly bot?: string | null } = {}): RawEvent[] {
    return this.paid.filter(({ time, data }) => {
      const at = time.slice(0, from.length);
      const isOf = (more.user === undefined || data.user_id === more.user) && (more.bot === undefined || data.bot_id === more.bot);
      return data.cost_nano_dollars !== undefined && at >= from && at <= to && isOf;
    });
  }

  sums(charges: readonly RawEvent[]) {
    const cost = charges.reduce((sum, { data }) => sum + BigInt(data.cost_nano_dollars!), 0n);
    const input_tokens = charges.reduce((sum, { data }) => sum + data.usage!.input_tokens, 0);
    const output_tokens = charges.reduce((sum, { data }) => sum + data.usage!.output_tokens, 0);
    const byModel = [...grouped(charges, ({ data }) => data.model!)];
    return {
      total_cost: dollars(cost),
      as_billed: dollars(cost),
      as_corrected: this.corrected(charges),
      input_tokens,
      output_tokens,
      by_model: Object.fromEntries(byModel.map(([model, group]) => [model, this.cost(group)])),
      by_model_as_corrected: Object.fromEntries(byModel.map(([model, group]) => [model, this.corrected(group)])),
    };
  }

  byKey(charges: readonly RawEvent[]): Record<string, number> {
    const withKey = charges.filter(({ data }) => data.api_key_id !== undefined);
    return Object.fromEntries([...grouped(withKey, ({ data }) => data.api_key_id!)].map(([key, group]) => [key, this.cost(group)]));
  }

  cost(charges: readonly RawEvent[]): number {
    return dollars(charges.reduce((sum, { data }) => sum + BigInt(data.cost_nano_dollars!), 0n));
  }

  corrected(charges: readonly RawEvent[]): number {
    return dollars(charges.reduce((sum, { data }) => sum + BigInt(data.cost_nano_dollars!) + BigInt(data.difference ?? 0), 0n));
  }

  conversations = (charges: readonly RawEvent[]) => countOf(charges, ({ data }) => data.conversation_id);

  users = (charges: readonly RawEvent[]) => countOf(charges, ({ data }) => (data.conversation_id === undefined ? undefined : data.user_id));

  daily(charges: readonly RawEvent[]) {
    return [...grouped(charges, ({ time }) => time.slice(0, 10))].map(([date, group]) => {
      const { total_cost: cost, as_corrected, input_tokens, output_tokens } = this.sums(group);
      return { date, cost, as_corrected, input_tokens, output_tokens };
    });
  }

  summary(from: string, to: string) {
    const all = this.charges(from, to);
    const { input_tokens, output_tokens, ...costs } = this.sums(all);
    const users = [...grouped(all, ({ data }) => data.user_id)].map(([user_id, group]) => {
      return { user_id, email: null, ...this.sums(group), conversation_count: this.conversations(group) };
    });
    const withBot = all.filter(({ data }) => data.bot_id !== null);
    const bots = [...grouped(withBot, ({ data }) => data.bot_id!)].map(([bot_id, group]) => {
      return { bot_id, title: null, owner_user_id: 'ann', ...this.sums(group), user_count: this.users(group) };
    });
    const withKey = all.filter(({ data }) => data.api_key_id !== undefined);
    const keys = [...grouped(withKey, ({ data }) => data.api_key_id!)].map(([api_key_id, its]) => {
      return { api_key_id, description: null, bot_id: its[0]!.data.bot_id, bot_title: null, ...this.sums(its) };
    });
    const totals = { ...costs, total_input_tokens: input_tokens, total_output_tokens: output_tokens };
    const ofKeys = { by_key: keys, total_cost_by_keys: this.cost(withKey), total_as_corrected_by_keys: this.corrected(withKey) };
    // No history has calls of models by programs.
    const splits = { by_token: [], by_cost_centre: [], by_tag: [] };
    return { ...totals, daily: this.daily(all), top_users: users, top_bots: bots, ...ofKeys, ...splits };
  }

  /** What each user, bot and API key of a window cost in an earlier one. */
  earlierAmounts([from, to]: readonly [string, string], [begin, end]: readonly [string, string]) {
    const [now, before] = [this.summary(from, to), this.summary(begin, end)];
    const idsOf = ({ top_users, top_bots, by_key }: typeof now): readonly (readonly [string, ReturnType<typeof this.sums>])[] => [
      ...top_users.map((each) => [each.user_id, each] as const),
      ...top_bots.map((each) => [each.bot_id, each] as const),
      ...by_key.map((each) => [each.api_key_id, each] as const),
    ];
    const earlier = new Map(idsOf(before));
    return Object.fromEntries(
      idsOf(now).map(([id]) => [id, { as_billed: earlier.get(id)?.as_billed ?? 0, as_corrected: earlier.get(id)?.as_corrected ?? 0 }]),
    );
  }

  /** By month with charges. */
  periods<Count extends string>(count: Count, charges: readonly RawEvent[]) {
    const counted = count === 'conversation_count' ? this.conversations : this.users;
    return [...grouped(charges, ({ time }) => time.slice(0, 7))].map(([period, group]) => ({
      period,
      ...this.sums(group),
      [count]: counted(group),
    }));
  }

  /** The latest rating of each reply of a bot, if it was given on these days. */
  ratings(bot: string, from: string, to: string): RawEvent[] {
    const latest = new Map<string, RawEvent>();
    for (const event of this.events)
      if (event.data.thumbs_up !== undefined && event.data.bot_id === bot) latest.set(event.data.reply_id!, event);
    return [...latest.values()].filter(({ time }) => time.slice(0, 10) >= from && time.slice(0, 10) <= to);
  }

  satisfaction(bot: string, from: string, to: string) {
    const ratings = this.ratings(bot, from, to);
    const up = ratings.filter(({ data }) => data.thumbs_up).length;
    const categories = ratings.flatMap(({ data: { category } }) => category ?? []);
    const replies = this.countOfType('reply-completed.v1', bot, from, to);
    const comments = ratings.filter(({ data }) => data.has_comment).toSorted((a, b) => (a.data.reply_id! < b.data.reply_id! ? -1 : 1));
    return {
      bot_id: bot,
      average: satisfactionOf(ratings),
      thumbs_up: up,
      thumbs_down: ratings.length - up,
      rated_share: replies === 0 ? null : Math.min(1, ratings.length / replies),
      by_category: Object.fromEntries([...new Set(categories)].map((one) => [one, categories.filter((each) => each === one).length])),
      comments: comments.map(({ time, data: { reply_id, category = null } }) => {
        return { message_id: reply_id, comment: `On ${reply_id}.`, category, create_time: Math.floor(Date.parse(time) / 1_000) };
      }),
      daily: [...grouped(ratings, ({ time }) => time.slice(0, 10))].map(([date, group]) => {
        const ofDay = group.filter(({ data }) => data.thumbs_up).length;
        return { date, thumbs_up: ofDay, thumbs_down: group.length - ofDay, satisfaction: satisfactionOf(group) };
      }),
    };
  }

  /** Bots whose last publication was not removed, with the requests to it. */
  published() {
    const bots = new Map<string, RawEvent>();
    for (const event of this.events) {
      if (event.type.endsWith('publication-succeeded.v1')) bots.set(event.data.bot_id!, event);
      if (event.type.endsWith('publication-removed.v1')) bots.delete(event.data.bot_id!);
    }
    const requests = (api: string) =>
      this.events.reduce((sum, { data }) => (data.request_count !== undefined && data.api_id === api ? sum + data.request_count : sum), 0);
    return [...bots.values()]
      .map(({ time, data: { bot_id, api_id, stage } }) => {
        const published_datetime = Math.floor(Date.parse(time) / 1_000);
        return { id: bot_id!, path: `/published/${api_id}/${stage}`, published_datetime, request_count: requests(api_id!) };
      })
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  countOfType(type: string, bot: string, from: string, to: string): number {
    const isOn = ({ time }: RawEvent) => time.slice(0, 10) >= from && time.slice(0, 10) <= to;
    return this.events.filter((event) => event.type.endsWith(type) && event.data.bot_id === bot && isOn(event)).length;
  }
}

/** Null without ratings. */
export function satisfactionOf(ratings: readonly RawEvent[]): number | null {
  return ratings.length === 0 ? null : ratings.filter(({ data }) => data.thumbs_up).length / ratings.length;
}

/** Maps have their entries in any order. */
export function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, group]) => [key, sortedKeys(group)]),
  );
}
