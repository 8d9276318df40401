import { Controller, Get, Query } from '@nestjs/common';
import { Internal } from '@parlance/http';
import { IsInt, Max, Min } from 'class-validator';
import { ExportRetention } from '../workflows/exports/export-retention.ts';

const MOST_DAYS = 3_650;

class OlderQuery {
  @IsInt() @Min(1) @Max(MOST_DAYS) days!: number;
}

/** Counts exports for the preview of a retention rule. */
@Controller('internal/exports')
@Internal()
export class InternalExportsController {
  constructor(private readonly retention: ExportRetention) {}

  @Get('older')
  async older(@Query() { days }: OlderQuery): Promise<{ exports: number }> {
    return { exports: await this.retention.count(days) };
  }
}
