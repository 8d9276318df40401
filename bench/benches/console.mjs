import { setTimeout as pause } from 'node:timers/promises';
import { launch } from '../../apps/console/test/chromium.ts';
import { streamingProvider } from '../../apps/console/test/streaming-provider.ts';
import { answerOf } from '../load/answer-text.mjs';
import { growthOfList } from '../load/chat-list.mjs';
import { ask as request, credentials, startProduct } from '../load/product.mjs';
import { figure, invariant, median } from '../measure/figures.mjs';

/** The processor of a cheap laptop or phone, as Chromium slows its pages down. */
const SLOW_DOWN = 4;
const CHARACTERS = 7_000;
/** A fast model sends 24 characters at a time, 1,200 a second. */
const STEP = 24;
const STEP_MILLIS = 20;

const MESSAGES = 200;
/** The page size of the console. */
const PAGE = 50;
const EARLIER = 'Show earlier messages';
const TYPED = 'How many days of leave are there in the first year, and who decides? '.repeat(2);
const question = (number) => `Question ${number} about the handbook?`;

const SCROLLER = `document.querySelector('[role="region"][aria-label="Messages"]')`;
/** Scrolls a step in each frame, like a mouse wheel. */
const SCROLL_UP = `new Promise((ended) => {
  const scroller = ${SCROLLER};
  const step = () => {
    if (scroller.scrollTop === 0) return ended();
    scroller.scrollTop -= 200;
    requestAnimationFrame(step);
  };
  step();
})`;

/** Runs in each page before its scripts. Records when the message field was drawn, and all long tasks. */
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

/** The console in Chromium on a slowed processor: a first page load, a long answer that streams, and a chat with many messages. */
export async function run({ short }) {
  const provider = await streamingProvider();
  const product = await startProduct({ PARLANCE_MODELS: provider.models, PARLANCE_FETCH_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' });
  const browser = await launch();
  try {
    const loads = [];
    for (let index = 0; index < (short ? 1 : 7); index++) loads.push(await load(browser, product));
    const streams = [];
    for (let index = 0; index < (short ? 1 : 3); index++) streams.push(await inNewChat(browser, product, provider));
    const many = await inLongChat(browser, product, provider);
    const listGrowth = await inLongList(browser, product);
    const of = (all, name) => median(all.map((each) => each[name]));
    const cpu = of(streams, 'cpu');
    return {
      rows: [
        figure('page of a new chat: first paint', of(loads, 'paint'), 'ms', { bar: { atMost: 1_000 } }),
        figure('  usable: the field for a message is drawn', of(loads, 'usable'), 'ms', { bar: { atMost: 1_500 } }),
        figure('  longest task', of(loads, 'longest'), 'ms'),
        figure('  CPU of the main thread until then', of(loads, 'cpu'), 'ms'),
        figure('an answer of 7,000 characters that streams: longest task', of(streams, 'longest'), 'ms', { bar: { atMost: 200 } }),
        figure('  tasks over 50 ms', of(streams, 'count'), ''),
        figure('  CPU of the longest task', of(streams, 'cpuOfLongest'), 'ms'),
        figure('  CPU of the main thread', cpu, 'ms', { bar: { atMost: 2_000 } }),
        figure('  CPU of its second half, against the first', of(streams, 'growth'), '×', { bar: { atMost: 1.25 }, gate: { atMost: 2 } }),
        figure(`a chat with ${MESSAGES} messages: longest task while it is scrolled through`, many.scrolled.longest, 'ms', {
          bar: { atMost: 200 },
        }),
        figure('  CPU of a screen', many.scrolled.cpu / many.screens, 'ms'),
        figure('  longest task while a message is typed', many.typed.longest, 'ms', { bar: { atMost: 50 } }),
        figure('  CPU of a character', many.typed.cpu / TYPED.length, 'ms'),
        figure('  the same, against a chat with two messages', many.typed.cpu / of(streams, 'typed'), '×', {
          bar: { atMost: 1.5 },
          gate: { atMost: 3 },
        }),
        figure('  the same answer that streams: longest task', many.streamed.longest, 'ms', { bar: { atMost: 200 } }),
        figure('  its CPU, against that in a new chat', many.streamed.cpu / cpu, '×', { bar: { atMost: 1.5 }, gate: { atMost: 2.5 } }),
        figure('a list of 1,000 chats: CPU of its last pages, against the first', listGrowth, '×', {
          bar: { atMost: 1.5 },
          gate: { atMost: 2 },
        }),
      ],
      invariants: [
        invariant(
          'the whole answer is shown',
          [...streams, many.streamed].every(({ isWhole }) => isWhole),
        ),
        invariant(
          'the pages report no error',
          [...loads, ...streams, many].every(({ errors }) => errors.length === 0),
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

/** Opens a page in a new browser profile, with a session, on a slowed processor. */
async function slowPage(browser, { url }, path = '/app/') {
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
  await page.goto(path);
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

async function inNewChat(browser, product, provider) {
  const { context, ...slow } = await slowPage(browser, product);
  const { text, begun } = { ...answerOf(CHARACTERS), begun: provider.begun };
  await ask(slow.page, 'Tell me all of it.');
  while (provider.begun === begun) await pause(5);
  // Markdown and highlighting are loaded with the first words.
  provider.say(text.slice(0, STEP));
  await slow.page.waitForURL(/\/app\/c\//);
  await slow.page.waitForLoadState('networkidle', { timeout: 10_000 }).catch(() => undefined);
  await browser.startTracing(slow.page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  const streamed = await streamRest(slow, provider);
  const cpuOfLongest = longestIn(await browser.stopTracing());
  const typed = (await type(slow)).cpu;
  await context.close();
  return { ...streamed, cpuOfLongest, typed, errors: slow.errors };
}

async function inLongList(browser, product) {
  const { context, ...slow } = await slowPage(browser, product);
  const growth = await growthOfList(slow.page, (act) => watched(slow, act));
  await context.close();
  return growth;
}

/** Loads all messages, as if a reader had scrolled back to the first one. */
async function inLongChat(browser, product, provider) {
  const conversationId = await longChat(product, provider);
  const { context, ...slow } = await slowPage(browser, product, `/app/c/${conversationId}`);
  const { page, errors } = slow;
  const earlier = page.getByRole('button', { name: EARLIER });
  for (let shown = PAGE; shown < MESSAGES; shown += PAGE) {
    await earlier.click();
    await page.getByText(question((MESSAGES - shown) / 2 - 1), { exact: true }).waitFor();
  }
  await earlier.waitFor({ state: 'detached' });
  await page.evaluate(`${SCROLLER}.scrollTo(0, 1e9)`);
  const screens = await page.evaluate(`Math.ceil(${SCROLLER}.scrollHeight / ${SCROLLER}.clientHeight)`);
  const scrolled = await watched(slow, () => page.evaluate(SCROLL_UP));
  await page.evaluate(`${SCROLLER}.scrollTo(0, 1e9)`);
  const typed = await type(slow);
  const { text, begun } = { ...answerOf(CHARACTERS), begun: provider.begun };
  provider.goOn();
  await ask(page, 'Tell me all of it.');
  while (provider.begun === begun) await pause(5);
  provider.say(text.slice(0, STEP));
  await page.getByRole('button', { name: 'Stop the reply' }).waitFor();
  const streamed = await streamRest(slow, provider);
  await context.close();
  return { scrolled, screens, typed, streamed, errors };
}

/** Creates a conversation of `MESSAGES` messages; every second one is an answer. */
async function longChat({ url, headers }, provider) {
  provider.finish(answerOf(1_000).text);
  let conversation_id;
  for (let index = 0; index < MESSAGES / 2; index++) {
    const message = { content: [{ content_type: 'text', body: question(index) }] };
    const body = { ...(conversation_id && { conversation_id }), message };
    const answer = await request('POST', `${url}/conversation`, { ...headers, prefer: 'wait=30' }, body);
    if (answer.status !== 200) throw new Error(`a message was answered with ${answer.status}`);
    ({ conversation_id } = answer.body);
  }
  return conversation_id;
}

async function ask(page, text) {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

async function type(slow) {
  await slow.page.getByRole('textbox', { name: 'Message' }).click();
  return watched(slow, () => slow.page.keyboard.type(TYPED));
}

/** Streams the answer after its first words, at an even pace. */
async function streamRest(slow, provider) {
  const { text, last } = answerOf(CHARACTERS);
  const half = STEP * Math.ceil(text.length / STEP / 2);
  const say = async (from, to) => {
    for (let at = from; at < to; at += STEP) {
      provider.say(text.slice(at, Math.min(at + STEP, to)));
      await pause(STEP_MILLIS);
    }
  };
  // Not Playwright's look-ups by role: they run on the page's main thread, and take 1.6 s among 200 messages.
  const ended = slow.page.locator('[aria-label="Good reply"]');
  const before = await ended.count();
  const first = await watched(slow, () => say(STEP, half));
  const second = await watched(slow, async () => {
    await say(half, text.length);
    provider.end('');
    await ended.nth(before).waitFor();
  });
  return {
    longest: Math.max(first.longest, second.longest),
    count: first.count + second.count,
    cpu: first.cpu + second.cpu,
    growth: second.cpu / first.cpu,
    isWhole: (await slow.page.getByRole('main').innerText()).includes(last),
  };
}

/** The processor time and the long tasks of the page's main thread during `act`. */
async function watched({ page, devtools }, act) {
  await page.evaluate('seen.tasks.length = 0');
  const before = await busyMillis(devtools);
  await act();
  const cpu = (await busyMillis(devtools)) - before;
  const { tasks } = await page.evaluate('seen');
  return { cpu, longest: Math.max(0, ...tasks), count: tasks.length };
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

/** Processor time of the page's slowed-down main thread. */
async function busyMillis(devtools) {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration').value * 1_000;
}
