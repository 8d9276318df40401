import { Injectable } from '@nestjs/common';
import { HARMLESS, ServiceCalls } from '@parlance/calls';
import { type NotificationMailKind, type PendingMail, subjectsOf } from '../../domain/mail/outgoing-mail.ts';
import { isActiveAdmin, type RegisteredUser } from '../../domain/user.ts';

/** What mails about notifications are about. */
@Injectable()
export class NotificationSubjects {
  constructor(private readonly calls: ServiceCalls) {}

  /**
   * The newest subject that still concerns the user: something shared that is still visible, or a reply that still waits. Null if there is
   * none. Throws if the service does not answer.
   */
  async current(userId: string, user: RegisteredUser, kind: NotificationMailKind, mail: PendingMail): Promise<string | null> {
    const ids = subjectsOf(mail);
    const seen = async (service: string, field: string, wanted: Readonly<Record<string, readonly string[]>>): Promise<string | null> => {
      const caller = { userId, groups: user.groups, sessionId: null, kind: 'user' } as const;
      const titles = await this.calls.post<Readonly<Record<string, object>>>(service, '/internal/seen-titles', wanted, {
        ...HARMLESS,
        caller,
      });
      return ids.find((id) => Object.hasOwn(titles[field] ?? {}, id)) ?? null;
    };
    switch (kind) {
      case 'bot_shared':
        return seen('bots', 'bots', { bot_ids: ids, prompt_ids: [] });
      case 'prompt_shared':
        return seen('bots', 'prompts', { bot_ids: [], prompt_ids: ids });
      case 'project_shared':
        return seen('inference', 'projects', { project_ids: ids, awaiting_reply_ids: [] });
      case 'approval_wanted':
        return seen('inference', 'awaiting', { project_ids: [], awaiting_reply_ids: ids });
      case 'budget_threshold':
      case 'budget_spent':
        return isActiveAdmin(user) ? (ids[0] ?? null) : null;
    }
  }
}

/** The page of the console that a mail links to. */
export function pageOf(kind: NotificationMailKind, subjectId: string, { conversationId = '' }: PendingMail): string {
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
    case 'budget_spent':
      return 'admin/budgets';
  }
}
