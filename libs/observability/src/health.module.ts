import { Controller, type DynamicModule, Get, Header, Module, Res, ServiceUnavailableException } from '@nestjs/common';
import { type HealthCheckResult, HealthCheckService, HealthIndicatorService, TerminusModule } from '@nestjs/terminus';
import type { FastifyReply } from 'fastify';
import { type HealthCheck, Readiness } from './readiness.ts';

export interface Health {
  readonly status: 'ok' | 'error';
  /** The result of each check by name: `up` or `down`, and its duration. Without error messages, which may name a host. */
  readonly details: Readonly<Record<string, unknown>>;
}

const CHECK_TIMEOUT_MS = 1_000;
const noCache = ['Cache-Control', 'no-store'] as const;

/** Reports why a check failed. */
export abstract class FailedChecks {
  abstract report(name: string, error: unknown): void;
}

@Controller('health')
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly failures: FailedChecks,
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
  ) {}

  /** Answers 200 while the process runs. It checks nothing else, because otherwise a database outage would restart every service. */
  @Get('live')
  @Header(...noCache)
  live(): Health {
    return { status: 'ok', details: {} };
  }

  /** Answers 503 if a required dependency does not answer, while the service is not ready yet, or when it is shutting down. */
  @Get('ready')
  @Header(...noCache)
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Health> {
    const { status, details } = await this.check();
    const waiting = Object.entries(this.readiness.remaining).map(([name, facts]) => [name, { status: 'down', ...facts }] as const);
    const shown = await Promise.all(
      [...this.readiness.shownChecks].map(async ([name, check]) => [name, await this.show(name, check)] as const),
    );
    const shutdown = this.readiness.isLeaving && { shutdown: { status: 'down' } };
    const breakers = Object.entries(this.readiness.breakerStates).map(
      ([name, state]) => [`breaker ${name}`, { status: 'up', state }] as const,
    );
    const ready = status !== 'error' && waiting.length === 0 && !shutdown;
    reply.code(ready ? 200 : 503);
    return {
      status: ready ? 'ok' : 'error',
      details: { ...details, ...Object.fromEntries([...shown, ...waiting, ...breakers]), ...shutdown },
    };
  }

  /** Terminus throws its result if a check fails. Here the result is returned in both cases. */
  private async check(): Promise<HealthCheckResult> {
    try {
      return await this.health.check(
        [...this.readiness.checks].map(
          ([name, check]) =>
            () =>
              this.attempt(name, check),
        ),
      );
    } catch (error) {
      if (error instanceof ServiceUnavailableException) return error.getResponse() as HealthCheckResult;
      throw error;
    }
  }

  /** A failing check is shown as down and has no other effect. */
  private async show(name: string, check: HealthCheck): Promise<object> {
    try {
      return { status: 'up', ...(await Promise.race([check(), late()])) };
    } catch (error) {
      this.failures.report(name, error);
      return { status: 'down' };
    }
  }

  private attempt(name: string, check: HealthCheck) {
    const guarded = async () => {
      try {
        return (await check()) ?? {};
      } catch (error) {
        this.failures.report(name, error);
        throw new Error('failed', { cause: error });
      }
    };
    return this.indicators.check(name).attempt(guarded).withTimeout(CHECK_TIMEOUT_MS);
  }
}

function late(): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(new Error(`no answer in ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS).unref());
}

/** /health/live and /health/ready of one service. */
@Module({})
export class HealthModule {
  /** Probes ask every few seconds, so `report` must not write a line each time. */
  static for(readiness: Readiness, report: FailedChecks['report']): DynamicModule {
    const failures: FailedChecks = { report };
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController],
      providers: [
        { provide: Readiness, useValue: readiness },
        { provide: FailedChecks, useValue: failures },
      ],
    };
  }
}
