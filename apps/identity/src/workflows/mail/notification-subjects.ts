import { Injectable } from '@nestjs/common';
import { HARMLESS, ServiceCalls } from '@parlance/calls';
import type { NotificationMailKind, PendingMail } from '../../domain/mail/outgoing-mail.ts';
import type { RegisteredUser } from '../../domain/user.ts';

const ADMIN_GROUP = 'Admin';

/** What mails about notifications are about. */
@Injectable()
export class NotificationSubjects {
  constructor(private readonly calls: ServiceCalls) {}

  /** Whether it still concerns the user: something shared is still visible, and a reply still waits. Throws if the service does not answer. */
  async concern(userId: string, { groups }: RegisteredUser, kind: NotificationMailKind, { subjectId = '' }: PendingMail): Promise<boolean> {
    const seen = async (service: string, field: string, ids: Readonly<Record<string, readonly string[]>>): Promise<boolean> => {
      const caller = { userId, groups, sessionId: null, kind: 'user' } as const;
      const titles = await this.calls.post<Readonly<Record<string, object>>>(service, '/internal/seen-titles', ids, {
        ...HARMLESS,
        caller,
      });
      return subjectId in (titles[field] ?? {});
    };
    switch (kind) {
      case 'bot_shared':
        return seen('bots', 'bots', { bot_ids: [subjectId], prompt_ids: [] });
      case 'prompt_shared':
        return seen('bots', 'prompts', { bot_ids: [], prompt_ids: [subjectId] });
      case 'project_shared':
        return seen('inference', 'projects', { project_ids: [subjectId], awaiting_reply_ids: [] });
      case 'approval_wanted':
        return seen('inference', 'awaiting', { project_ids: [], awaiting_reply_ids: [subjectId] });
      case 'budget_threshold':
        return groups.includes(ADMIN_GROUP);
    }
  }
}

/** The page of the console that a mail links to. */
export function pageOf(kind: NotificationMailKind, { subjectId = '', conversationId = '' }: PendingMail): string {
  switch (kind) {
    case 'bot_shared':
      return `store/${encodeURIComponent(subjectId)}`;
    case 'prompt_shared':
      return `prompts/${encodeURIComponent(subjectId)}`;
    case 'project_shared':
      return `projects/${encodeURIComponent(subjectId)}`;
    case 'approval_wanted':
      return `c/${encodeURIComponent(conversationId)}`;
    case 'budget_threshold':
      return 'admin/budgets';
  }
}
