// The process that reads documents. It has no secrets, may not write files or start programs, and ends with its parent.
import { Worker } from 'node:worker_threads';
import type { Chunk } from '../chunk.ts';
import { tokensOf } from '../chunking/tokens.ts';
import type { DrawnPage } from '../drawn-page.ts';
import { DocumentRefused } from '../document-refused.ts';
import { BATCH_TEXT } from '../limits.ts';
import { type DocumentHead, readDocument, UNREADABLE } from '../read-document.ts';
import { ReadingStopped } from '../reading-stopped.ts';
import type { Order, Report } from './messages.ts';

let answer: ((order: Order) => void) | undefined;

const send = (report: Report) => process.send!(report);

/** Sends a report and waits for its answer. Throws `ReadingStopped` if the answer is to stop. */
async function ask(report: Report): Promise<Order> {
  const order = await new Promise<Order>((resolve) => {
    answer = resolve;
    send(report);
  });
  if (order.type === 'stop') throw new ReadingStopped();
  return order;
}

async function onSize(bytes: number): Promise<void> {
  await ask({ type: 'size', bytes });
}

async function embed(sentences: readonly string[]): Promise<readonly Float32Array[]> {
  const order = await ask({ type: 'embed', sentences });
  return order.type === 'vectors' ? order.vectors : [];
}

async function readPages(pages: readonly DrawnPage[]): Promise<readonly string[]> {
  const order = await ask({ type: 'pages', pages });
  return order.type === 'texts' ? order.texts : [];
}

async function read({ file, chunking, embeds, readsPages }: Extract<Order, { type: 'read' }>): Promise<Report> {
  let batch: Chunk[] = [];
  let length = 0;
  const onChunk = (chunk: Chunk, document: DocumentHead): Promise<void> | undefined => {
    const more = chunk.text.length + (chunk.parent?.length ?? 0);
    const full = batch.length > 0 && length + more > BATCH_TEXT ? batch : undefined;
    if (full !== undefined) {
      batch = [];
      length = 0;
    }
    batch.push(chunk);
    length += more;
    return full === undefined ? undefined : ask({ type: 'chunks', chunks: full, document }).then(() => undefined);
  };
  try {
    const result = await readDocument(file, chunking, onChunk, {
      onSize,
      embed: embeds ? embed : undefined,
      readPages: readsPages ? readPages : undefined,
    });
    return { type: 'done', chunks: batch, result, rss: process.memoryUsage.rss() };
  } catch (error) {
    const rss = process.memoryUsage.rss();
    if (error instanceof ReadingStopped) return { type: 'stopped', rss };
    if (error instanceof DocumentRefused) {
      const { message, pages } = error;
      return { type: 'refused', code: error.code, message, ...(pages !== undefined && { pages }), rss };
    }
    const { syscall, code } = error as NodeJS.ErrnoException;
    if (syscall !== undefined || code === 'ERR_ACCESS_DENIED') return { type: 'failed', message: String(code), rss };
    // A fault of a parser or our own: retrying fails again.
    return { type: 'refused', code: 'damaged', message: UNREADABLE, rss };
  }
}

process.on('message', (order: Order) => {
  if (order.type === 'read') void read(order).then(send);
  else {
    answer?.(order);
    answer = undefined;
  }
});
process.on('disconnect', () => process.exit(0));

const [memoryBytes] = process.argv.slice(2).map(Number);
const watch = new URL(import.meta.url.endsWith('.ts') ? './watch-thread.ts' : './watch-thread.js', import.meta.url);
new Worker(watch, { execArgv: [], workerData: { parent: process.ppid, memoryBytes } }).unref();
tokensOf('The tokenizer is loaded before the first document.');
send({ type: 'ready' });
