# Numbers that jaq makes by dividing by zero, which is an error here.
def infinite: 1e1000;
def nan: infinite - infinite;

# Functions of jaq, given only what may be a time.
def gmtime: time | unchecked_gmtime;
def localtime: time | unchecked_localtime;
def mktime: time | unchecked_mktime;
def todateiso8601: time | unchecked_todateiso8601;
def strftime($form): time | unchecked_strftime($form);
def strflocaltime($form): time | unchecked_strflocaltime($form);
