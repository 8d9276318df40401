import { setTimeout as pause } from 'node:timers/promises';
import { launch } from '../../apps/console/test/chromium.ts';
import { streamingProvider } from '../../apps/console/test/streaming-provider.ts';
import { answerOf } from '../load/answer-text.mjs';
import { credentials, startProduct } from '../load/product.mjs';
import { figure, invariant, median } from '../measure/figures.mjs';

/** The processor of a cheap laptop or phone, as Chromium slows its pages down. */
const SLOW_DOWN = 4;
const CHARACTERS = 7_000;
/** What a fast model sends: 24 characters at a time, 1,200 in a second. */
const STEP = 24;
const STEP_MILLIS = 20;

/** Runs in each page before its scripts. Looks for the field for a message, and notes when it was drawn, and all long tasks. */
const WATCH = `
  globalThis.seen = { usable: null, tasks: [] };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.tasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
  const look = new MutationObserver(() => {
    const field = document.getElementById('composer');
    if (!field || field.disabled) return;
    look.disconnect();
    requestAnimationFrame(() => setTimeout(() => (seen.usable = performance.now())));
  });
  look.observe(document, { childList: true, subtree: true });`;

/** The console in Chromium on a slowed processor: the page of a chat from nothing, and a long answer that streams. */
export async function run({ short }) {
  const provider = await streamingProvider();
  const product = await startProduct({ PARLANCE_MODELS: provider.models, PARLANCE_FETCH_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' });
  const browser = await launch();
  try {
    const loads = [];
    for (let nth = 0; nth < (short ? 1 : 7); nth++) loads.push(await load(browser, product));
    const streams = [];
    for (let nth = 0; nth < (short ? 1 : 3); nth++) streams.push(await stream(browser, product, provider));
    const of = (all, name) => median(all.map((each) => each[name]));
    return {
      rows: [
        figure('page of a new chat: first paint', of(loads, 'paint'), 'ms', { bar: { atMost: 1_000 } }),
        figure('  usable: the field for a message is drawn', of(loads, 'usable'), 'ms', { bar: { atMost: 1_500 } }),
        figure('  longest task', of(loads, 'longest'), 'ms'),
        figure('  CPU of the main thread until then', of(loads, 'cpu'), 'ms'),
        figure('an answer of 7,000 characters that streams: longest task', of(streams, 'longest'), 'ms', { bar: { atMost: 200 } }),
        figure('  tasks over 50 ms', of(streams, 'count'), ''),
        figure('  CPU of the longest task', of(streams, 'cpuOfLongest'), 'ms'),
        figure('  CPU of the main thread', of(streams, 'cpu'), 'ms'),
      ],
      invariants: [
        invariant(
          'the whole answer is shown',
          streams.every(({ isWhole }) => isWhole),
        ),
        invariant(
          'the pages report no error',
          [...loads, ...streams].every(({ errors }) => errors.length === 0),
        ),
      ],
      notes: [
        `Chromium without windows, slowed down ${SLOW_DOWN} times by CDP. Medians of ${loads.length} loads and ${streams.length} answers.`,
      ],
    };
  } finally {
    await browser.close();
    await product.stop();
    await provider.stop();
  }
}

/** A page of a new browser profile, with a session, on a slowed processor. */
async function slowPage(browser, { url }) {
  const context = await browser.newContext({ baseURL: url, locale: 'en-US', viewport: { width: 1280, height: 800 } });
  const answer = await context.request.post('/auth/sign-in', { data: credentials, headers: { 'x-parlance-session': 'cookie' } });
  if (!answer.ok()) throw new Error(`signing in was answered with ${answer.status()}`);
  const page = await context.newPage();
  const errors = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.addInitScript(WATCH);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOW_DOWN });
  await page.goto('/app/');
  // The content security policy does not allow Playwright's own way to wait for an expression.
  while ((await page.evaluate('seen.usable')) === null) await pause(20);
  return { context, page, errors, devtools };
}

async function load(browser, product) {
  const { context, page, errors, devtools } = await slowPage(browser, product);
  const { usable, tasks } = await page.evaluate('seen');
  const cpu = await busyMillis(devtools);
  const paint = await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`);
  await context.close();
  return { paint, usable, cpu, longest: Math.max(0, ...tasks), errors };
}

async function stream(browser, product, provider) {
  const { context, page, errors, devtools } = await slowPage(browser, product);
  const { text, last } = answerOf(CHARACTERS);
  const { begun } = provider;
  await page.getByRole('textbox', { name: 'Message' }).fill('Tell me all of it.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  while (provider.begun === begun) await pause(5);
  // Markdown and highlighting are loaded with the first words.
  provider.say(text.slice(0, STEP));
  await page.waitForURL(/\/app\/c\//);
  await page.waitForLoadState('networkidle', { timeout: 10_000 }).catch(() => undefined);
  await page.evaluate('seen.tasks.length = 0');
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  const before = await busyMillis(devtools);
  for (let at = STEP; at < text.length; at += STEP) {
    provider.say(text.slice(at, at + STEP));
    await pause(STEP_MILLIS);
  }
  provider.end('');
  await page.getByRole('button', { name: 'Good reply' }).waitFor();
  const cpu = (await busyMillis(devtools)) - before;
  const cpuOfLongest = longestIn(await browser.stopTracing());
  const { tasks } = await page.evaluate('seen');
  const isWhole = (await page.getByRole('main').innerText()).includes(last);
  await context.close();
  return { longest: Math.max(0, ...tasks), count: tasks.length, cpuOfLongest, cpu, isWhole, errors };
}

/** The longest processor time of a task of the page's main thread, in milliseconds. */
function longestIn(trace) {
  const { traceEvents: events } = JSON.parse(trace.toString());
  const mains = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = events.filter(({ name, tdur, pid, tid }) => name === 'RunTask' && tdur !== undefined && mains.has(`${pid} ${tid}`));
  return tasks.reduce((longest, { tdur }) => Math.max(longest, tdur), 0) / 1_000;
}

/** Processor time of the page's main thread, slowed down. */
async function busyMillis(devtools) {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration').value * 1_000;
}
