import { Controller, Get, Query } from '@nestjs/common';
import { IsInt, IsOptional, Length, Min } from 'class-validator';
import { PublishedLog, type PublishedPage } from './published-log.ts';
import { Internal } from '@parlance/http';

class PublishedQuery {
  @IsInt() @Min(0) after!: number;
  /** Comma-separated. */
  @IsOptional() @Length(1, 4_000) types?: string;
}

/** A service's public events, for services that need events that the topic has dropped. */
@Controller('internal/published')
@Internal()
export class PublishedController {
  constructor(private readonly log: PublishedLog) {}

  @Get()
  page(@Query() { after, types }: PublishedQuery): Promise<PublishedPage> {
    return this.log.after(after, types?.split(','));
  }
}
