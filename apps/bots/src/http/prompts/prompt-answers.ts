import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { AuditRecorder } from '@parlance/http';
import { type Sealed, Vault } from '@parlance/privacy';
import { promptNotFound } from '../../domain/prompts/prompt-refusals.ts';
import type { PromptContent as StoredContent } from '../../domain/prompts/prompts.ts';
import { parsePrompt } from '../../domain/prompts/prompt-variables.ts';
import { mayConfigure, type Person } from '../../domain/sharing.ts';
import { type PromptListKind, PROMPTS_AT_ONCE, VisiblePrompts } from '../../projections/prompts/prompt-lists.ts';
import { type PromptRow, relationToPrompt, type WholePrompt } from '../../projections/prompts/prompts.ts';
import type { Prompt, PromptContent, PromptSummary } from './prompt-shapes.ts';

/** The prompts whose titles one request opens. A search of more takes several requests. */
const MOST_SEARCHED = 5 * PROMPTS_AT_ONCE;

export interface PromptSearch {
  readonly person: Person;
  readonly kind: PromptListKind;
  readonly query: string | undefined;
  readonly limit: number;
  /** `next` of the previous page. */
  readonly after: string | null;
}

/** Opens prompts for answers. */
@Injectable()
export class PromptAnswers {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
    private readonly audit: AuditRecorder,
  ) {}

  /** Throws the refusal `prompt_not_found` if the prompt is being deleted. */
  async prompt({ row, text: sealed }: WholePrompt, person: Person): Promise<Prompt> {
    const summary = await this.summary(row, person);
    const text = await this.vault.openOften(sealed as Sealed);
    if (!summary || text === null) throw promptNotFound();
    const { allowed_user_ids, allowed_group_ids, editor_user_ids, editor_group_ids } = row;
    const lists = { allowed_user_ids, allowed_group_ids, editor_user_ids, editor_group_ids };
    return { ...summary, text, variables: parsePrompt(text).variables, ...(summary.editable && lists) };
  }

  /** Throws as `prompt` does. */
  async content(version: number, stored: StoredContent): Promise<PromptContent> {
    const { title, command, description, text } = stored;
    const opened = await this.vault.openAllOften([title, command, text, ...(description === null ? [] : [description])] as Sealed[]);
    if (opened.includes(null)) throw promptNotFound();
    const [plainTitle, plainCommand, plainText, plainDescription = ''] = opened as string[];
    return {
      version,
      title: plainTitle!,
      command: plainCommand!,
      description: plainDescription,
      text: plainText!,
      variables: parsePrompt(plainText!).variables,
    };
  }

  /** The summaries of prompts. Prompts that are being deleted are left out. */
  async summaries(rows: readonly PromptRow[], person: Person): Promise<readonly PromptSummary[]> {
    const summaries: PromptSummary[] = [];
    for (const row of rows) {
      if (isTurnOver()) await nextTurn();
      const summary = await this.summary(row, person);
      if (summary) summaries.push(summary);
    }
    return summaries;
  }

  /** A page of the prompts that a user may see. It may be short, or empty, although there is a next one. */
  async found({ person, kind, query, limit, after }: PromptSearch): Promise<{ prompts: readonly PromptSummary[]; next: string | null }> {
    const words = folded(query ?? '')
      .split(/\s+/)
      .filter(Boolean);
    const found: PromptSummary[] = [];
    let last = after;
    for (let read = 0; read < MOST_SEARCHED; read += PROMPTS_AT_ONCE) {
      const page = await this.queries.execute(new VisiblePrompts(person, kind, last));
      for (const summary of await this.summaries(page.rows, person)) {
        const texts = folded(`${summary.title}\n${summary.command}`);
        if (!words.every((word) => texts.includes(word))) continue;
        // One more than is returned, to know whether there is another page.
        if (found.length === limit) return { prompts: found, next: found.at(-1)!.id };
        found.push(summary);
      }
      if (page.last === null) return { prompts: found, next: null };
      last = page.last;
    }
    return { prompts: found, next: last };
  }

  /** Records that an administrator reads a prompt of another user. Called before the answer is sent. */
  async recordRead({ row }: WholePrompt, person: Person): Promise<void> {
    if (relationToPrompt(person, row) !== 'admin') return;
    await this.audit.viewed({ action: 'view_prompt', resourceType: 'prompt', resourceId: row.id });
  }

  /** Null if the prompt is being deleted. */
  private async summary(row: PromptRow, person: Person): Promise<PromptSummary | null> {
    const { id, owner_user_id, shared_scope, create_time, change_time, version } = row;
    const texts = [row.title, row.command, ...(row.description === null ? [] : [row.description])] as Sealed[];
    const [title = null, command = null, description = ''] = await this.vault.openAllOften(texts);
    if (title === null || command === null || description === null) return null;
    const relation = relationToPrompt(person, row);
    const rights = { owned: relation === 'owner', editable: mayConfigure(relation) };
    return { id, owner_user_id, title, command, description, shared_scope, ...rights, create_time, change_time, version };
  }
}

/** Without case and accents. */
const folded = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
