import { applyDecorators } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { ChangesFields, PageQuery } from '@parlance/http';
import { IsIn, IsInt, IsOptional, IsString, Length, Matches, Max, MaxLength, Min } from 'class-validator';
import {
  MAX_GROUPS_OF_PROMPT,
  MAX_PROMPT_COMMAND,
  MAX_PROMPT_DESCRIPTION,
  MAX_PROMPT_TEXT,
  MAX_USERS_OF_PROMPT,
} from '../../domain/prompts/prompt-limits.ts';
import { parsePrompt } from '../../domain/prompts/prompt-variables.ts';
import { type Scope, SCOPES } from '../../domain/sharing.ts';
import { PROMPT_LIST_KINDS } from '../../projections/prompts/prompt-lists.ts';
import { IsTitle } from '../bodies/bot-bodies.ts';
import { invalid } from '../bodies/invalid.ts';
import { GroupIds, UserIds } from '../bodies/sharing.ts';

const IsCommand = () =>
  applyDecorators(
    Length(1, MAX_PROMPT_COMMAND),
    Matches(/^[a-z0-9]+(-[a-z0-9]+)*$/, { message: 'must be lower-case letters and digits, with single hyphens in between' }),
  );
const IsText = () => applyDecorators(Length(1, MAX_PROMPT_TEXT), Matches(/\S/u, { message: 'must not be only spaces' }));

export class NewPromptBody {
  @IsTitle() title!: string;
  @IsCommand() command!: string;
  @IsOptional() @IsString() @MaxLength(MAX_PROMPT_DESCRIPTION) description?: string;
  @IsText() text!: string;
}

@ChangesFields()
export class PromptBody {
  @IsOptional() @IsTitle() title?: string;
  @IsOptional() @IsCommand() command?: string;
  /** Empty removes the description. */
  @IsOptional() @IsString() @MaxLength(MAX_PROMPT_DESCRIPTION) description?: string;
  @IsOptional() @IsText() text?: string;
}

@ChangesFields()
export class PromptSharingBody {
  @IsIn(SCOPES) target_shared_scope!: Scope;
  @UserIds(MAX_USERS_OF_PROMPT) target_allowed_user_ids?: string[];
  @GroupIds(MAX_GROUPS_OF_PROMPT) target_allowed_group_ids?: string[];
  @UserIds(MAX_USERS_OF_PROMPT) target_editor_user_ids?: string[];
  @GroupIds(MAX_GROUPS_OF_PROMPT) target_editor_group_ids?: string[];
}

export class RestorePromptBody {
  @IsInt() @Min(1) @Max(Number.MAX_SAFE_INTEGER) version!: number;
}

export class PromptsQuery extends PageQuery {
  /** All prompts that the caller may see, the caller's own ones, or those of others. */
  @IsIn(PROMPT_LIST_KINDS) kind: 'all' | 'own' | 'shared' = 'all';
  /** Words that the title or the command contains. */
  @IsOptional() @Length(1, 100) query?: string;
  /** Only prompts with exactly this command, the caller's own one first. */
  @IsOptional() @IsCommand() command?: string;
}

/** Throws the refusal `invalid_body` (invalid) if a placeholder cannot be read. */
export function requirePlaceholders(text: string | undefined): void {
  const { fault } = parsePrompt(text ?? '');
  if (fault !== null) throw invalid('text', fault);
}

/** Throws the refusal `invalid_query` (invalid) for a search and a lookup at once. */
export function requireOneSearch({ query, command }: PromptsQuery): void {
  if (query === undefined || command === undefined) return;
  const message = 'must not be sent together with command';
  throw refuse('invalid', 'invalid_query', `The field query ${message}.`, { errors: [{ path: 'query', message }] });
}
