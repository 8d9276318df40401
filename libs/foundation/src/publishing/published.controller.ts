import { Controller, Get, Query } from '@nestjs/common';
import { Instant } from '@parlance/decider';
import { READ_BYTES } from '@parlance/event-store';
import { IsInt, IsOptional, Length, Max, Min } from 'class-validator';
import { PublishedLog, type PublishedPage } from './published-log.ts';
import { Internal } from '@parlance/http';

class PublishedQuery {
  @IsInt() @Min(0) after!: number;
  /** Comma-separated. */
  @IsOptional() @Length(1, 4_000) types?: string;
  /** Of the commits that are read. At least one is read. */
  @IsOptional() @IsInt() @Min(1) @Max(READ_BYTES) bytes?: number;
}

class PositionQuery {
  /** Epoch milliseconds. */
  @IsInt() @Min(0) at!: number;
}

/** A service's public events, for services that need events that the topic has dropped. */
@Controller('internal/published')
@Internal()
export class PublishedController {
  constructor(private readonly log: PublishedLog) {}

  @Get()
  page(@Query() { after, types, bytes }: PublishedQuery): Promise<PublishedPage> {
    return this.log.after(after, types?.split(','), bytes);
  }

  @Get('position')
  async position(@Query() { at }: PositionQuery): Promise<{ position: number }> {
    return { position: await this.log.positionAt(Instant.ofMillis(at)) };
  }
}
