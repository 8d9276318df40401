import { validatorOf } from '@parlance/http';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  Equals,
  IsArray,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import type { Instant } from '@parlance/decider';
import { ConfigurationBody, LONGEST_TITLE } from '../bodies/bot-bodies.ts';
import { invalid } from '../bodies/invalid.ts';
import { FileName, MOST_FILES } from '../bodies/knowledge.ts';
import { configurationOf } from '../configurations.ts';
import { type FileEntry, FORMAT_VERSION, type PlainConfiguration } from './bot-file.ts';

class FileEntryBody {
  @FileName() name!: string;
  @IsOptional() @Length(1, 1_000) path?: string;
  @IsOptional() @IsInt() @Min(0) @Max(Number.MAX_SAFE_INTEGER) bytes?: number;
  @IsOptional() @IsString() @MaxLength(200) content_type?: string;
  @IsOptional() @Matches(/^[0-9a-f]{64}$/) sha256?: string;
}

/** An exported bot: the fields of a PATCH, and the list of files. */
class BotFileBody extends ConfigurationBody {
  @Equals(FORMAT_VERSION, { message: `must be ${FORMAT_VERSION}, the format that this version reads` }) parlance_bot!: number;
  @Length(1, LONGEST_TITLE) title!: string;
  @IsOptional() @IsArray() @ArrayMaxSize(MOST_FILES) @ValidateNested({ each: true }) @Type(() => FileEntryBody) files?: FileEntryBody[];
}

const validate = validatorOf(BotFileBody, 'invalid_body');

/** Reads the bot of an export. Does not check whether this installation offers what the bot names. Throws the refusal `invalid_body` (invalid). */
export function botOfFile(value: unknown, now: Instant): PlainConfiguration & { readonly files: readonly FileEntry[] } {
  const body = validate(value);
  const { files = [], knowledge } = body;
  const names = [knowledge?.filenames, knowledge?.added_filenames, knowledge?.deleted_filenames, knowledge?.unchanged_filenames];
  if (names.some((list) => list !== undefined)) throw invalid('knowledge.filenames', 'must be absent, because files has the names');
  const filenames = files.map(({ name }) => name);
  if (new Set(filenames).size < filenames.length) throw invalid('files', 'must not have two files with the same name');
  const withFiles = { ...body, ...((knowledge || filenames.length > 0) && { knowledge: { ...knowledge, filenames } }) };
  return { ...configurationOf(withFiles, now), files: files as readonly FileEntry[] };
}
