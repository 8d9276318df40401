const from = '2026-01-01T00:00:00Z';
const priced = (input: number, output: number) => ({ prices: [{ from, input, output }], context_window: 32_000, max_output_tokens: 1_000 });
const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'] as const;

/** Each model has a provider of its own. The failures of each stay below the number at which its breaker opens. */
export const routing = {
  providers: (base_url: string) => ({
    ...Object.fromEntries(
      NAMES.map((name) => [
        `of-${name}`,
        { type: 'openai_compatible', base_url, first_token_timeout_seconds: 1, token_timeout_seconds: 1 },
      ]),
    ),
    'of-claude-2': { type: 'anthropic', base_url, api_key: 'sk-second', first_token_timeout_seconds: 1 },
    // Nothing listens there.
    gone: { type: 'openai_compatible', base_url: 'http://127.0.0.1:1/v1' },
  }),
  models: [
    ...NAMES.map((id, index) => ({ id, provider: `of-${id}`, model: id, ...priced(1 + 2 * index, 2 + 2 * index) })),
    { id: 'claude-2', provider: 'of-claude-2', model: 'claude-2', ...priced(5, 6) },
    { id: 'gone', provider: 'gone', model: 'gone', ...priced(1, 1) },
  ],
  routes: [
    { id: 'pair', strategy: 'cheapest', targets: [{ model: 'two' }, { model: 'one' }], retries: 1 },
    { id: 'second-pair', strategy: 'cheapest', targets: [{ model: 'six' }, { model: 'five' }], retries: 1 },
    { id: 'third-pair', strategy: 'cheapest', targets: [{ model: 'eight' }, { model: 'seven' }], retries: 1 },
    { id: 'quick', strategy: 'fastest', targets: [{ model: 'one' }, { model: 'two' }] },
    { id: 'idle', strategy: 'least_busy', targets: [{ model: 'one' }, { model: 'two' }] },
    { id: 'shares', targets: [{ model: 'one', weight: 3 }, { model: 'two' }] },
    { id: 'alone', targets: [{ model: 'three' }] },
    { id: 'chain', targets: [{ model: 'three' }], fallbacks: ['four', 'one'], retries: 0 },
    { id: 'saved', targets: [{ model: 'gone' }], fallbacks: ['local-extractive'], retries: 0 },
    { id: 'mixed', strategy: 'cheapest', targets: [{ model: 'one' }, { model: 'claude-2' }], fallbacks: ['claude'], retries: 0 },
    { id: 'hurried', strategy: 'cheapest', targets: [{ model: 'claude' }], fallbacks: ['claude-2'], timeout_seconds: 1, retries: 0 },
  ],
};
