import { Controller, Get } from '@nestjs/common';
import { Streams } from '@parlance/foundation';
import { Internal } from '@parlance/http';
import { retention, RETENTION_STREAM, ruleForExports } from '../domain/retention/retention.ts';

/** Retention rules, for the services that apply them. */
@Controller('internal/retention')
@Internal()
export class InternalRetentionController {
  constructor(private readonly streams: Streams) {}

  /** The rule for export files, from the log. Null if none is enabled. */
  @Get('exports')
  async exports(): Promise<{ rule: { rule_id: string; days: number } | null }> {
    const rule = ruleForExports(await this.streams.load(retention, RETENTION_STREAM));
    return { rule: rule && { rule_id: rule.ruleId, days: rule.days } };
  }
}
