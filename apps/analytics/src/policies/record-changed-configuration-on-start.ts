import { createHmac, createSecretKey } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Config, describeConfig } from '@parlance/config';
import { canonicalJson } from '@parlance/http';
import { MasterKey } from '@parlance/privacy';
import { ExecuteConfiguration } from '../commands/aggregates.ts';
import { CONFIGURATION_ID } from '../domain/configuration.ts';

/**
 * Compares the effective configuration with that of analytics' last start. The values are stored as hashes under a key derived from the
 * master key, so that neither secrets nor short values can be recovered from them.
 */
@Injectable()
export class RecordChangedConfigurationOnStart implements OnApplicationBootstrap {
  constructor(
    private readonly commands: CommandBus,
    private readonly config: Config,
    private readonly master: MasterKey,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const [now, preset] = [this.fingerprintsOf(this.config), this.fingerprintsOf(new Config())];
    const unset = Object.keys(now).filter((key) => now[key] === preset[key]);
    await this.commands.execute(new ExecuteConfiguration(CONFIGURATION_ID, { type: 'Start', fingerprints: now, unset }));
  }

  private fingerprintsOf(config: Config): Record<string, string> {
    const key = createSecretKey(this.master.derive('configuration'));
    const values = config as unknown as Readonly<Record<string, unknown>>;
    const of = (name: string) =>
      createHmac('sha256', key)
        .update(`${name}\0${canonicalJson(values[name] ?? null)}`)
        .digest('base64url');
    return Object.fromEntries(describeConfig().map(({ key: name }) => [name, of(name)]));
  }
}
