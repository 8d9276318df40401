import fastify from 'fastify';

const numbered = (letter: string, count: number): readonly string[] => Array.from({ length: count }, (_, index) => `${letter}${index}`);

/** The models and tools that specs use by default. */
const USUAL = {
  models: ['a', 'b', 'm', 'n', 'small', 'large', 'x'.repeat(200), ...numbered('m', 100)],
  page_models: [],
  tools: ['a', 'b', 'search', 'calculator', 'read_file-2', 'a'.repeat(64), ...numbered('t', 50)],
  tool_servers: ['docs', 'mail', 'my-docs'],
};

/** A stand-in for inference that offers models and tools to bots. */
export function offering(offers: Readonly<Partial<Record<keyof typeof USUAL, readonly string[]>>> = {}) {
  const inference = fastify({ bodyLimit: 16 * 1024 * 1024 });
  inference.get('/internal/offers', async () => ({ ...USUAL, ...offers }));
  return inference;
}
