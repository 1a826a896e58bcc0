-- Links that work once, and the mail that carries them. Nothing here holds a secret: of a link's secret there is its hash, and a mail's
-- words, its link among them, are made when it is sent.

create table one_time_link (
  id uuid primary key, -- of a mailed link, the mail's id
  kind text not null check (kind in ('reset')),
  user_id uuid not null references app_user on delete cascade,
  secret_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz, -- also set when another link of the same user was used, or the password changed
  failed_tries integer not null default 0
);
create index one_time_link_user on one_time_link (user_id) where used_at is null;
create index one_time_link_expires_at on one_time_link (expires_at);

-- Who asked for a new password. Whether anybody has this address is looked up afterwards: the answer must not tell.
create table reset_request (
  id uuid primary key,
  email text not null,
  brand_id integer references brand on delete cascade, -- of the host that was asked; null: a host of every brand
  asked_at timestamptz not null
);

create table mail (
  id uuid primary key,
  dedupe_key text not null unique, -- what happened: one event is written about once
  kind text not null,
  recipient text not null,
  brand_id integer not null references brand on delete cascade,
  user_id uuid references app_user on delete cascade,
  queued_at timestamptz not null,
  due_at timestamptz, -- when it is sent, or tried again if whoever has it now is gone; null: sent or given up
  worth_until timestamptz not null, -- later nobody wants it any more
  tries integer not null default 0,
  sent_at timestamptz,
  last_error text
);
create index mail_due_at on mail (due_at) where due_at is not null;
create index mail_queued_at on mail (queued_at) where due_at is null;

create index app_user_email on app_user (lower(email)) where email is not null;

-- Tables of the house itself: only the system role reaches them.
do $$
declare name text;
begin
  foreach name in array array['one_time_link', 'reset_request', 'mail']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy system_rows on %I to counterfoil_system using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %I to counterfoil_system', name);
  end loop;
end $$;
