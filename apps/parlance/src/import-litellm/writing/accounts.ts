import type { Report } from '../report.ts';
import type { AdminApi } from './admin-api.ts';
import type { Installation } from './installation.ts';

const MOST_TOKENS = 100;
/** The ID of an account that a dry run would make. */
const PLANNED = '(new)';

/** Service accounts for the tokens. A service account has at most 100 tokens, so an owner of more keys needs several. */
export class Accounts {
  private readonly planned = new Map<string, number>();
  private hasGroup: boolean;

  constructor(
    private readonly api: AdminApi | null,
    private readonly installation: Installation,
    private readonly group: string,
    private readonly report: Report,
  ) {
    this.hasGroup = installation.groups.has(group);
  }

  /** An account with room for one more token. `isOnlyOne`: null instead of a second account. */
  async withRoom(name: string, isOnlyOne: boolean): Promise<{ readonly id: string; readonly name: string } | null> {
    for (let number = 1; ; number++) {
      if (number > 1 && isOnlyOne) return null;
      const numbered = number === 1 ? name : `${name} (${number})`;
      const id = this.installation.accounts.get(numbered) ?? (await this.make(numbered));
      if (this.tokensOf(numbered, id) < MOST_TOKENS) return { id, name: numbered };
    }
  }

  /** A token was made, or Parlance says that the account is full. */
  count(account: { readonly id: string; readonly name: string }, isFull = false): void {
    const count = isFull ? MOST_TOKENS : this.tokensOf(account.name, account.id) + 1;
    if (account.id === PLANNED) this.planned.set(account.name, count);
    else this.installation.tokenCounts.set(account.id, count);
  }

  private tokensOf(name: string, id: string): number {
    return (id === PLANNED ? this.planned.get(name) : this.installation.tokenCounts.get(id)) ?? 0;
  }

  private async make(name: string): Promise<string> {
    await this.makeGroup();
    const id = this.api ? String((await this.api.post('/admin/service-accounts', { name, group: this.group }))['id']) : PLANNED;
    this.installation.accounts.set(name, id);
    this.report.row(this.api ? 'made' : 'make', 'account', name, `in the group ${this.group}`);
    return id;
  }

  private async makeGroup(): Promise<void> {
    if (this.hasGroup) return;
    await this.api?.post('/admin/groups', { name: this.group });
    this.hasGroup = true;
    this.report.row(this.api ? 'made' : 'make', 'group', this.group);
  }
}
