import { describe, expect, it } from '@jest/globals';
import { freePort } from '@parlance/testing';
import { openKafkaBroker } from './kafka/kafka-broker.ts';
import { REPORT_EVERY_MS, SteadyReports } from './steady-report.ts';

describe('lines about a Kafka that does not answer', () => {
  it('are passed on once in ten seconds, with the number of those left out', () => {
    let now = 5;
    const lines: unknown[][] = [];
    const reports = new SteadyReports(() => now);
    const report = reports.of((...line) => void lines.push(line));
    const ofRelay = reports.of((...line) => void lines.push(['relay', ...line]));
    for (let index = 0; index < 3; index++) report('kafka: Connection error', { index });
    ofRelay('the relay failed', {});
    now += REPORT_EVERY_MS - 1;
    report('kafka: Connection error', { index: 4 });
    now += 1;
    report('kafka: Connection error', { index: 5 });
    now += REPORT_EVERY_MS;
    ofRelay('the relay failed', {});
    expect(lines).toEqual([
      ['kafka: Connection error', { index: 0 }],
      ['kafka: Connection error', { index: 5, left_out: 4 }],
      ['relay', 'the relay failed', {}],
    ]);
  });

  it('are few when a process starts before Kafka', async () => {
    const lines: string[] = [];
    const opening = openKafkaBroker({
      brokers: [`127.0.0.1:${await freePort()}`],
      clientId: 'test',
      client: { retry: { initialRetryTime: 1, maxRetryTime: 1, retries: 14 } },
      report: (message) => void lines.push(message),
    });
    await expect(opening).rejects.toThrow();
    expect(lines).toEqual([expect.stringMatching(/^kafka: Connection error/)]);
  });
});
