-- Who is signed in. One session is one family of refresh tokens (decisions.md, Tenants and people).

create table session (
  id uuid primary key,
  user_id uuid not null references app_user on delete cascade,
  client_id text not null,
  cookie_hash bytea, -- set for the portal's own client: its refresh needs the cookie
  kind text not null default 'customer' check (kind in ('customer', 'support')),
  created_at timestamptz not null,
  idle_until timestamptz not null,
  absolute_until timestamptz not null,
  ended_at timestamptz,
  ended_by text check (ended_by in ('logout', 'password', 'reuse', 'disabled'))
);
create index session_live_user on session (user_id) where ended_at is null;
create index session_absolute_until on session (absolute_until);

create table refresh_token (
  token_hash bytea primary key,
  session_id uuid not null references session on delete cascade,
  counter integer not null,
  issued_at timestamptz not null,
  used_at timestamptz,
  unique (session_id, counter)
);

-- One row a limited subject: when its bucket would be full again (a token bucket as one instant).
create table rate_limit (
  subject bytea primary key,
  full_at timestamptz not null
);
create index rate_limit_full_at on rate_limit (full_at);
