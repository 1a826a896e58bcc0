-- A second logo for dark backgrounds, and an icon of the brand's own.

alter table brand_image drop constraint brand_image_kind_check;
alter table brand_image add constraint brand_image_kind_check check (kind in ('logo', 'logo-dark', 'banner', 'icon'));
