import { Controller, Get, Query } from '@nestjs/common';
import { Instant, refuse } from '@parlance/decider';
import { READ_BYTES } from '@parlance/event-store';
import { IsBoolean, IsInt, IsOptional, Length, Max, Min } from 'class-validator';
import { PublishedLog, type PublishedPage } from './published-log.ts';
import { Internal } from '@parlance/http';
import { RELEASE } from './release.ts';

class PublishedQuery {
  @IsInt() @Min(0) after!: number;
  /** Comma-separated. */
  @IsOptional() @Length(1, 4_000) types?: string;
  /** The most bytes of commits to read. At least one commit is read. */
  @IsOptional() @IsInt() @Min(1) @Max(READ_BYTES) bytes?: number;
  /** The release of the calling service. 0.2 does not send it. */
  @IsOptional() @IsInt() @Min(0) release?: number;
  @IsOptional() @IsBoolean() may_miss_newest?: boolean;
}

class PositionQuery {
  /** Epoch milliseconds. */
  @IsInt() @Min(0) at!: number;
}

/** A service's public events, for other services that need events that the topic no longer has. */
@Controller('internal/published')
@Internal()
export class PublishedController {
  constructor(private readonly log: PublishedLog) {}

  @Get()
  page(@Query() { after, types, bytes, release = 0, may_miss_newest }: PublishedQuery): Promise<PublishedPage> {
    // This release would leave out events that a newer release has added, and the reader would never request them again.
    if (release > RELEASE)
      throw refuse(
        'conflict',
        'older_release',
        'This replica runs an older release than the service that is asking. A replica of the newer release has the events.',
      );
    return this.log.after(after, types?.split(','), bytes, may_miss_newest);
  }

  @Get('position')
  async position(@Query() { at }: PositionQuery): Promise<{ position: number }> {
    return { position: await this.log.positionAt(Instant.ofMillis(at)) };
  }
}
