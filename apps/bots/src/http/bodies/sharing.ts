import { isGroupName } from '@parlance/config';
import { ChangesFields, ULID_PATTERN } from '@parlance/http';
import { ArrayMaxSize, ArrayUnique, IsArray, IsIn, IsOptional, Matches, ValidateBy } from 'class-validator';
import { MOST_ALLOWED_GROUPS, MOST_ALLOWED_USERS, type Scope, SCOPES, type SharingRequest } from '../../domain/sharing.ts';
import { invalid } from './invalid.ts';

function list(most: number, rule: PropertyDecorator): PropertyDecorator {
  return (target, name) => {
    for (const decorate of [IsOptional(), IsArray(), ArrayMaxSize(most), ArrayUnique(), rule]) decorate(target, name as string);
  };
}
export const UserIds = (most: number) => list(most, Matches(new RegExp(ULID_PATTERN), { each: true, message: 'must contain only ULIDs' }));
export const GroupIds = (most: number) =>
  list(
    most,
    ValidateBy(
      { name: 'isGroupName', validator: { validate: (name) => typeof name === 'string' && isGroupName(name) } },
      { each: true, message: 'must contain only group names', context: { schema: { type: 'string', minLength: 1, maxLength: 100 } } },
    ),
  );

@ChangesFields()
export class SharingBody {
  @IsIn(SCOPES) target_shared_scope!: Scope;
  @UserIds(MOST_ALLOWED_USERS) target_allowed_user_ids?: string[];
  @GroupIds(MOST_ALLOWED_GROUPS) target_allowed_group_ids?: string[];
  @UserIds(MOST_ALLOWED_USERS) target_editor_user_ids?: string[];
  @GroupIds(MOST_ALLOWED_GROUPS) target_editor_group_ids?: string[];
}

/** Throws the refusal `invalid_body` (invalid) for a private scope with lists. */
export function sharingRequestOf(body: SharingBody): SharingRequest {
  const { target_shared_scope: scope, ...lists } = body;
  const [listed] = Object.entries(lists).find(([, ids]) => ids !== undefined && ids.length > 0) ?? [];
  if (scope === 'private' && listed !== undefined) throw invalid(listed, 'must be empty if the scope is private');
  return {
    scope,
    userIds: body.target_allowed_user_ids,
    groupIds: body.target_allowed_group_ids,
    editorUserIds: body.target_editor_user_ids,
    editorGroupIds: body.target_editor_group_ids,
  };
}
