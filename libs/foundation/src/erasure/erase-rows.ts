import { Injectable, type Type } from '@nestjs/common';
import { type Command, CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Ask } from '../cqrs/query.ts';
import { eraseEach, Erasing, type Removed } from './erasing.ts';

/** How a service erases one kind of thing of a user: one command for each row. */
export interface RowsOfUser {
  /** The name of the kind in the receipt of the erasure. */
  readonly kind: string;
  /** IDs of some rows that the user still has. */
  readonly left: Ask<[userId: string], readonly string[]>;
  /** How many rows were removed with the user. */
  readonly removed: Ask<[userId: string], number>;
  readonly erase: (id: string, userId: string) => Command<unknown>;
}

/** Makes the `Erasing` of a service that keeps one kind of thing of a user. */
export function erasing({ kind, left, removed, erase }: RowsOfUser): Type<Erasing> {
  @Injectable()
  class ErasesRows extends Erasing {
    constructor(
      private readonly commands: CommandBus,
      private readonly queries: QueryBus,
    ) {
      super();
    }

    override async erase(userId: string): Promise<Removed> {
      // A command is answered when its row is gone, so each query finds other rows, until there are none.
      await eraseEach(
        () => this.queries.execute(new left(userId)),
        (id) => this.commands.execute(erase(id, userId)),
      );
      return { [kind]: await this.queries.execute(new removed(userId)) };
    }
  }
  return ErasesRows;
}
