import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { CONTINUE_AT_HEADER, LEAVING_HEADER } from '@parlance/http';
import { isFailure, isRefusedByLeaving } from '@parlance/calls/http';
import { FailedAnswer, NoSignOfLife, NotInTime, RefusedByLeaving, type SignOfLife } from '@parlance/calls/http-targets';
import { Continuation } from './continuation.ts';
import { breakOff } from './stream-farewell.ts';

/** Headers that apply to one connection only. The edge's own server has already answered `expect`. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  LEAVING_HEADER,
]);

const REQUEST_TIMEOUT = 408;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const endsLine = (text: Uint8Array): boolean => text.at(-1) === LINE_FEED;

/** How often an answer that has begun is checked for new bytes, in milliseconds. */
const LOOK_EVERY = 800;
/** The answer is broken off after this many missing signs of life in a row. */
const MISSED_BEFORE_END = 2;

/**
 * Writes a service's answer to the client as it arrives, no faster than the client reads. If a stream of events breaks off that its service
 * can continue, `onBroken` requests the rest.
 */
export class Relay implements Dispatcher.DispatchHandler {
  /** Settles when the answer begins, or when it is certain that there will be none. The circuit breaker counts this outcome. */
  readonly begun: Promise<void>;
  private readonly settle: { resolve: () => void; reject: (error: Error) => void };
  private controller: Dispatcher.DispatchController | null = null;
  private timer: NodeJS.Timeout | undefined;
  private tooLate = false;
  private isGivenUp = false;
  private clientGone: boolean;
  private answering = false;
  private hasReceived = false;
  private hasTrailers = false;
  /** Whether the last chunk ended a whole event. Half an event before the last one would be read as an event. */
  private isBetweenEvents = true;
  private watch: NodeJS.Timeout | undefined;

  constructor(
    private readonly res: ServerResponse,
    private readonly life: SignOfLife | null,
    private readonly onBroken: (stream: Continuation) => void,
    /** The event after which the client resumes a stream. */
    private readonly resumesAfter: string | null,
    /** The stream that this answer continues. */
    private stream: Continuation | null = null,
    /** Whether another replica can get the request if this one refuses it because it is about to end. */
    private readonly mayPassOver = true,
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.begun = promise;
    this.settle = { resolve, reject };
    this.clientGone = res.destroyed;
    res.on('close', this.leave).on('drain', this.resume);
  }

  private readonly leave = (): void => {
    clearInterval(this.watch);
    if (this.res.writableFinished) return;
    this.clientGone = true;
    this.controller?.abort(new Error('the client has gone away'));
  };
  private readonly resume = (): void => this.controller?.resume();

  /** A stream that is continued has a further relay for the same client. */
  private stop(): void {
    clearTimeout(this.timer);
    clearInterval(this.watch);
    this.res.off('close', this.leave).off('drain', this.resume);
  }

  /** Fails if there is no connection within this time. */
  startWithin(millis: number): void {
    this.timer = setTimeout(() => {
      this.tooLate = true;
      this.settle.reject(new NotInTime());
    }, millis);
  }

  /** Ends the attempt. The client's answer comes from elsewhere. */
  giveUp(): void {
    if (this.answering) return;
    this.isGivenUp = true;
    this.controller?.abort(new NoSignOfLife());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    clearTimeout(this.timer);
    this.controller = controller;
    if (this.clientGone) controller.abort(new Error('the client has gone away'));
    if (this.tooLate) controller.abort(new NotInTime());
    if (this.isGivenUp) controller.abort(new NoSignOfLife());
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingMessage['headers']): void {
    if (status < 200) return;
    if (isRefusedByLeaving(headers, this.life) && this.mayPassOver) return controller.abort(new RefusedByLeaving());
    this.answering = true;
    if (this.life) this.endWhenMissing(this.life);
    if (this.stream) return this.continueWith(controller, status);
    const path = status === 200 ? headers[CONTINUE_AT_HEADER] : undefined;
    if (typeof path === 'string') this.stream = new Continuation(path, this.resumesAfter);
    const passed = endToEnd(headers, CONTINUE_AT_HEADER);
    this.hasTrailers = headers['trailer'] !== undefined;
    if (this.hasTrailers) passed['trailer'] = headers['trailer'] as string;
    // The request is incomplete, so its remaining bytes would be read as the next request.
    if (status === REQUEST_TIMEOUT) passed['connection'] = 'close';
    this.res.writeHead(status, passed);
    // A stream may send nothing at first. Its client must see that it was accepted.
    if (headers['content-length'] === undefined) this.res.flushHeaders();
    if (isFailure(status, headers)) this.settle.reject(new FailedAnswer(status));
    else this.settle.resolve();
  }

  /** For example, the reply was erased, or the caller lost its rights. The client learns it when it resumes. */
  private continueWith(controller: Dispatcher.DispatchController, status: number): void {
    this.settle.resolve();
    if (status === 200) return;
    this.stream = null;
    controller.abort(new FailedAnswer(status));
  }

  /**
   * Breaks the answer off when the replica no longer responds. It is continued at another one, by the client if this process cannot.
   * A stream that can be continued loses nothing, so one missing sign is enough.
   */
  private endWhenMissing(life: SignOfLife): void {
    let missed = 0;
    const look = async () => {
      const isQuiet = !this.hasReceived && !this.res.writableNeedDrain;
      this.hasReceived = false;
      missed = isQuiet && !(await life.isThere()) ? missed + 1 : 0;
      if (missed >= (this.stream ? 1 : MISSED_BEFORE_END)) this.controller?.abort(new NoSignOfLife());
    };
    this.watch = setInterval(() => void look(), LOOK_EVERY).unref();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.hasReceived = true;
    const passed = this.stream ? this.stream.wholeEvents(chunk) : chunk;
    if (passed.length === 0) return;
    this.isBetweenEvents = endsLine(passed) && endsLine(passed.subarray(0, passed.at(-2) === CARRIAGE_RETURN ? -2 : -1));
    if (!this.res.write(passed)) controller.pause();
  }

  onResponseEnd(_: Dispatcher.DispatchController, trailers: IncomingMessage['headers']): void {
    this.stop();
    if (this.stream?.mayGoOn) return this.onBroken(this.stream);
    if (this.hasTrailers) this.res.addTrailers(endToEnd(trailers) as OutgoingHttpHeaders);
    this.res.end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.stop();
    // A client that disconnects is not a failure of the service.
    if (this.clientGone) this.settle.resolve();
    else if (this.answering && this.stream?.mayGoOn) this.onBroken(this.stream);
    else if (this.answering && this.isBetweenEvents) breakOff(this.res);
    else if (this.answering) this.res.destroy();
    this.settle.reject(error);
  }
}

export function endToEnd(headers: IncomingMessage['headers'], except?: string): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined && name !== except && !HOP_BY_HOP.has(name)) kept[name] = value;
  }
  return kept;
}
