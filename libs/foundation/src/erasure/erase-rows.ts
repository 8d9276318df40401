import { Injectable, type Type } from '@nestjs/common';
import { type Command, CommandBus } from '@nestjs/cqrs';
import { ReadModels, type Table } from '@parlance/read-models';
import { eraseEach, Erasing, type Removed } from './erasing.ts';

/** Limits of one page of keys. Rows can be large, so the page is limited in bytes, too. */
const PAGE = { limit: 1_000, bytes: 1024 * 1024 };

/** How a service erases one kind of thing of a user: one command for each row. */
export interface RowsOfUser {
  /** Its name is the name of the kind in the receipt of the erasure. Its keys are the IDs of the commands. */
  readonly rows: Table;
  /** An index whose first field is the user's ID. */
  readonly index: string;
  /** One row for each erased user. The field with the name of `rows` counts what was removed. */
  readonly removed: Table;
  readonly erase: (id: string, userId: string) => Command<unknown>;
}

/** Makes the `Erasing` of a service that keeps one kind of thing of a user. */
export function erasing({ rows, index, removed, erase }: RowsOfUser): Type<Erasing> {
  const user = rows.indexes[index]?.[0];
  if (user === undefined) throw new Error(`The table ${rows.name} has no index ${index}.`);

  @Injectable()
  class ErasesRows extends Erasing {
    constructor(
      private readonly commands: CommandBus,
      private readonly models: ReadModels,
    ) {
      super();
    }

    override async erase(userId: string): Promise<Removed> {
      // A command is answered when its row is gone, so each page has other rows, until there are none.
      await eraseEach(
        async () => (await this.models.find(rows, { index, where: { [user!]: userId }, ...PAGE })).keys,
        (id) => this.commands.execute(erase(id, userId)),
      );
      const counted = (await this.models.get(removed, userId)) as Readonly<Record<string, unknown>> | null;
      return { [rows.name]: Number(counted?.[rows.name] ?? 0) };
    }
  }
  return ErasesRows;
}
