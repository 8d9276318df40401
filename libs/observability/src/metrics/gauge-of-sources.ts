import type { Gauge, Registry } from 'prom-client';

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];
const SOURCE_TIMEOUT_MS = 2_000;

/** A gauge over many sources. A source that fails or does not answer in time is left out of the scrape. */
export function gaugeOfSources(
  prom: typeof import('prom-client'),
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
) {
  const sources: (() => Promise<readonly Sample[]>)[] = [];
  const gauge = new prom.Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [],
    async collect(this: Gauge) {
      const answers = await Promise.all(sources.map((source) => inTime(source())));
      this.reset();
      for (const [labels, value] of answers.flat()) this.set(labels, value);
    },
  });
  registry.registerMetric(gauge);
  return (source: () => Promise<readonly Sample[]>): void => void sources.push(source);
}

async function inTime(samples: Promise<readonly Sample[]>): Promise<readonly Sample[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Sample[]>((resolve) => {
    timer = setTimeout(resolve, SOURCE_TIMEOUT_MS, []);
  });
  try {
    return await Promise.race([samples, late]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}
