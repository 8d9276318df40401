import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config, LogLevel } from '@parlance/config';
import { redactedLine } from './redaction.ts';
import { RequestContext } from '../request-context.ts';
import { traceIdOf } from '../tracing/traceparent.ts';

export type { Logger } from 'pino';

/** The logs of a process: JSON lines on standard output, a logger per service. */
export interface Logging {
  for(service: string): Logger;
  /** Resolves when all lines were passed to the operating system. */
  flush(): Promise<void>;
}

export interface LoggingOptions {
  readonly level: Exclude<LogLevel, 'auto'>;
  /** Default: standard output. */
  readonly destination?: DestinationStream & { flush?(done: (error?: Error) => void): void };
}

/** The level for `auto`: at a terminal, warnings and errors only, so that the banner of the process stays readable. */
export function chosenLevel(config: Pick<Config, 'logLevel'>, atTerminal: boolean): LoggingOptions['level'] {
  if (config.logLevel !== 'auto') return config.logLevel;
  return atTerminal ? 'warn' : 'info';
}

/**
 * Lines are collected for a quarter of a second, or up to four kilobytes, because a write per line would double the cost of logging. If the
 * process is killed, these lines are lost, but no events are.
 */
export function openLogging({ level, destination = standardOutput() }: LoggingOptions): Logging {
  const root = pino(
    {
      level,
      base: null,
      mixin: contextFields,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: redactedLine },
    },
    destination,
  );
  return {
    for: (service) => root.child({ service }),
    flush: () => new Promise((resolve) => (destination.flush ? destination.flush(() => resolve()) : resolve())),
  };
}

const COLLECTED_BYTES = 4096;
const COLLECTED_MS = 250;

/** Standard output, written when enough lines are collected or the oldest has waited for long enough. No timer runs while there are none. */
export function standardOutput(dest: number | string = 1) {
  const output = pino.destination({ dest, sync: false, minLength: COLLECTED_BYTES });
  const write = output.write.bind(output);
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    output.flush();
  };
  output.once('close', () => clearTimeout(timer));
  output.write = (line) => {
    timer ??= setTimeout(flush, COLLECTED_MS).unref();
    return write(line);
  };
  return output;
}

function contextFields(): object {
  const context = RequestContext.current();
  if (!context) return {};
  const { requestId, correlationId, traceparent, route } = context;
  return {
    request_id: requestId,
    correlation_id: correlationId,
    ...(traceparent && { trace_id: traceIdOf(traceparent) }),
    ...(route && { route }),
  };
}

/** Nest's loggers whose lines are the same at every start. */
const ROUTINE_LOGGERS = new Set([
  'InstanceLoader',
  'NestFactory',
  'NestApplication',
  'NestMicroservice',
  'RoutesResolver',
  'RouterExplorer',
]);

/** Writes Nest's lines to the same logger, its startup lines at level debug. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write(ROUTINE_LOGGERS.has(String(rest.at(-1))) ? 'debug' : 'info', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    // An error that prevents the start is also thrown, and the code that catches it reports it in one line.
    this.write(rest.at(-1) === 'ExceptionHandler' ? 'debug' : 'error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** Nest appends the context to the arguments, and for errors the stack before it. The fields of an object become fields of the line. */
  private write(level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal', message: unknown, rest: readonly unknown[]): void {
    if (!this.logger.isLevelEnabled(level)) return;
    const context = typeof rest.at(-1) === 'string' ? rest.at(-1) : undefined;
    const more = context === undefined ? rest : rest.slice(0, -1);
    const error = [message, ...more].find((each) => each instanceof Error);
    const stack = error ? undefined : more.find((each) => typeof each === 'string' && each.includes('\n    at '));
    const details = more.filter((each) => each !== error && each !== stack && each !== undefined);
    const fields = details.filter(isPlain);
    const others = details.filter((each) => !isPlain(each));
    const text = message instanceof Error ? message.message : typeof message === 'string' ? message : JSON.stringify(message);
    this.logger[level](
      {
        ...Object.assign({}, ...fields),
        context,
        ...(error && { err: error }),
        ...(stack !== undefined && { stack }),
        ...(others.length > 0 && { more: others }),
      },
      text,
    );
  }
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
