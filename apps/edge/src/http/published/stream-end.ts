import type { ServerResponse } from 'node:http';
import { openAiError, problemOf } from '@parlance/http';
import { isOpenAiStyle } from './published-address.ts';

/** How long a client has to read why its stream ends. */
const FAREWELL_MILLIS = 1_000;

/**
 * Ends a stream whose rights have ended. SDKs of OpenAI do not resume streams, so theirs ends with the error as an event. Other clients resume
 * a stream that breaks off, and are refused then.
 */
export function endStream(res: ServerResponse, below: string, error: unknown): void {
  if (!isOpenAiStyle(below) || !isEventStream(res) || res.writableNeedDrain) return void res.destroy();
  const timer = setTimeout(() => res.destroy(), FAREWELL_MILLIS).unref();
  res.write(errorEventOf(error), () => {
    clearTimeout(timer);
    res.destroy();
  });
  // Nothing that the service still writes follows the error.
  res.write = () => false;
}

const isEventStream = (res: ServerResponse): boolean =>
  res.headersSent && !res.writableEnded && String(res.getHeader('content-type')).startsWith('text/event-stream');

/**
 * The error of both streams, in the form in which the SDKs recognise it. An empty line ends what was sent before. The event's number belongs to
 * the stream of responses, whose events are not counted here.
 */
function errorEventOf(error: unknown): string {
  const { error: its } = openAiError(problemOf(error).body);
  return `\n\nevent: error\ndata: ${JSON.stringify({ ...its, type: 'error', sequence_number: 0, error: its })}\n\n`;
}
