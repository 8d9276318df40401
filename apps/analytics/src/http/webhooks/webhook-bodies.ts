import { publicEvents } from '@parlance/contracts';
import { MAX_URL } from '@parlance/guarded-fetch';
import { ChangesFields, MayBeLeftOut } from '@parlance/http';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { SOURCES } from '../../workflows/deliveries/event-feed.ts';

/** The types that subscriptions can have. */
export const EVENT_TYPES = publicEvents.filter(({ service }) => SOURCES.some((source) => source === service)).map(({ type }) => type);
const LONGEST_DESCRIPTION = 200;
/** The end of the year 9999. A greater value is probably in milliseconds. */
const LATEST_SECONDS = 253_402_300_799;
/** The same form as for web pages of knowledge: no user name, no space. */
const WEB_URL = /^https?:\/\/[^\s/?#@\\]+(?:[/?#]\S*)?$/;

const IsWebUrl = () => Matches(WEB_URL, { message: 'must begin with https:// or http://, without a user name or spaces' });

/** Has a short message, because the default message of a refusal would list all types. */
const AreTypes = () =>
  IsIn(EVENT_TYPES, { each: true, message: 'must contain only event types from /asyncapi.json, and none that the edge publishes' });

export class CreateWebhookBody {
  @Length(1, MAX_URL) @IsWebUrl() url!: string;
  /** Empty or absent: all types. */
  @IsOptional() @IsArray() @ArrayMaxSize(EVENT_TYPES.length) @ArrayUnique() @AreTypes() event_types?: string[];
  @IsOptional() @MaxLength(LONGEST_DESCRIPTION) description?: string;
  @IsOptional() @IsBoolean() enabled?: boolean;
}

@MayBeLeftOut()
@ChangesFields()
export class ChangeWebhookBody {
  @IsOptional() @Length(1, MAX_URL) @IsWebUrl() url?: string;
  @IsOptional() @IsArray() @ArrayMaxSize(EVENT_TYPES.length) @ArrayUnique() @AreTypes() event_types?: string[];
  @IsOptional() @MaxLength(LONGEST_DESCRIPTION) description?: string;
  @IsOptional() @IsBoolean() enabled?: boolean;
}

export class ReplayBody {
  /** Epoch seconds. */
  @IsInt() @Min(0) @Max(LATEST_SECONDS) from!: number;
}
